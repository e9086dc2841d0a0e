import { readFileSync } from 'node:fs'
import { argv, stdout } from 'node:process'
import autocannon from 'autocannon'
import { loadSchema, requestsSchema } from './load.ts'

/** Loads one address for one round and prints the result; a process of its own, so that it costs the measured nothing but CPU. */
const { url, headers, connections, seconds, file } = loadSchema.parse(JSON.parse(argv[2] ?? ''))
const requests = file ? requestsSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : []
let joined = 0

const result = await autocannon({
  url,
  headers,
  connections,
  method: requests[0]?.body === undefined ? 'GET' : 'POST',
  ...(seconds === undefined ? { amount: requests.length } : { duration: seconds }),
  ...(requests.length > 0 && {
    setupClient: (client) => {
      // The connections share the requests out: all of them together send each once, then again.
      let next = joined++
      const setNext = () => {
        const { headers: own = {}, body } = requests[next % requests.length] ?? {}
        next += connections
        if (body === undefined) client.setHeaders({ ...headers, ...own })
        else client.setHeadersAndBody({ ...headers, ...own }, body)
      }
      setNext()
      client.on('response', setNext)
    },
  }),
})
stdout.write(JSON.stringify(result))
