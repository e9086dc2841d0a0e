import { readFileSync } from 'node:fs'
import { argv, stdout } from 'node:process'
import autocannon from 'autocannon'
import { z } from 'zod'
import { loadSchema } from './load.ts'

/** Loads one address for one round and prints the figures; a process of its own, so that measuring costs the measured nothing but CPU. */
const { cookieFile, seconds, ...load } = loadSchema.parse(JSON.parse(argv[2] ?? ''))
const cookies = cookieFile ? z.array(z.string()).parse(JSON.parse(readFileSync(cookieFile, 'utf8'))) : []
let turn = 0
const next = () => ({ ...load.headers, cookie: cookies[turn++ % cookies.length] ?? '' })

const figures = await autocannon({
  ...load,
  duration: seconds,
  ...(cookies.length > 0 && {
    setupClient: (client) => {
      client.setHeaders(next())
      client.on('response', () => client.setHeaders(next()))
    },
  }),
})
stdout.write(JSON.stringify(figures))
