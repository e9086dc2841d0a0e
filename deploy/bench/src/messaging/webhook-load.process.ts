import { readFileSync } from 'node:fs'
import { argv, stdout } from 'node:process'
import autocannon from 'autocannon'
import { z } from 'zod'
import { webhookLoadSchema } from './webhook-load.ts'
import { signatureHeader } from './webhooks.ts'

/** Posts signed webhooks from a file and prints the figures; a process of its own, so that it costs the measured nothing but CPU. */
const { url, file, connections, seconds } = webhookLoadSchema.parse(JSON.parse(argv[2] ?? ''))
const webhooks = z.array(z.tuple([z.string(), z.string()])).parse(JSON.parse(readFileSync(file, 'utf8')))
let joined = 0

const figures = await autocannon({
  url,
  connections,
  method: 'POST',
  headers: {},
  ...(seconds === undefined ? { amount: webhooks.length } : { duration: seconds }),
  setupClient: (client) => {
    // Each connection posts every so-manieth: all of them together post each webhook once.
    let next = joined++
    const setNext = () => {
      const [signature = '', body = ''] = webhooks[next % webhooks.length] ?? []
      next += connections
      client.setHeadersAndBody({ 'content-type': 'application/json', [signatureHeader]: signature }, body)
    }
    setNext()
    client.on('response', setNext)
  },
})
stdout.write(JSON.stringify(figures))
