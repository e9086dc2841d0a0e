import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'

/**
 * Takes every message for the Graph API after as long as the real one needs, and counts nothing: the simulator would judge each
 * message and report on it, which is work on the same machine.
 */
const fastestMs = 50
const spreadMs = 100

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
}).listen(Number(process.env['PORT']), '127.0.0.1')
