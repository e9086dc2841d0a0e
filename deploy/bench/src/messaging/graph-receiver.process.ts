import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'

/**
 * Takes every message for the Graph API after as long as the real one needs, and counts nothing: the simulator would judge each
 * message and report on it, which is work on the same machine.
 */
const { PORT = '', FASTEST_MS = '50', SLOWEST_MS = '150' } = process.env
const fastestMs = Number(FASTEST_MS)
const spreadMs = Number(SLOWEST_MS) - fastestMs

createServer((request, response) => {
  request.resume().once('end', () => {
    setTimeout(
      () => {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ messaging_product: 'whatsapp', messages: [{ id: `wamid.${randomUUID()}` }] }))
      },
      fastestMs + Math.random() * spreadMs,
    )
  })
}).listen(Number(PORT), '127.0.0.1')
