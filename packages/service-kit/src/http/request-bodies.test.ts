import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { allowLongBody, boundRequestBodies } from '../core/request-bodies.ts'
import { sendThenRead } from '../testing/send-then-read.ts'
import { asUser, json, portOf, startShop } from '../testing/shop-app.ts'

const megabyte = 1024 * 1024

async function startServer(bounds: Parameters<typeof boundRequestBodies>[1], handle: RequestListener): Promise<number> {
  const server = createServer(handle)
  boundRequestBodies(server, bounds)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
const refuse: RequestListener = (_req, res) => void res.writeHead(413).end()

/** Begins a request and keeps sending until the connection is closed. @returns how much was sent. */
async function sendWithoutEnd(port: number, chunk: string, pauseMs: number): Promise<number> {
  const socket: Socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined).resume()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n')
  let sent = 0
  while (!socket.destroyed) {
    sent += chunk.length
    if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
    await delay(pauseMs)
  }
  return sent
}

test.each([
  ['a body above the limit', asUser, 413],
  ['no token', {}, 401],
])('a service that answers early (%s) is heard by a client that reads afterwards', async (_what, caller, status) => {
  const { app } = await startShop()
  onTestFinished(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  const headers = Object.entries({ ...caller, ...json }).map(([name, value]) => `${name}: ${value}`)
  const line = await sendThenRead(portOf(app), ['POST /orders HTTP/1.1', ...headers], 5 * megabyte)
  expect(line).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})

test.each([
  ['slowly', 'x', 10],
  ['fast', 'x'.repeat(64 * 1024), 0],
])('who goes on sending (%s) after an early answer is cut off', async (_how, chunk, pauseMs) => {
  const port = await startServer({ drainMs: 100 }, refuse)
  expect(await sendWithoutEnd(port, chunk, pauseMs)).toBeGreaterThan(0)
})

test('a body that does not arrive in time closes the connection, unless it may take long', async () => {
  const port = await startServer({ bodyMs: 100 }, (req, res) => {
    if (req.url === '/upload') allowLongBody(req)
    req.resume().once('end', () => res.end('whole'))
  })
  expect(await sendWithoutEnd(port, 'x', 10)).toBeGreaterThan(0)

  const upload = connect(port, '127.0.0.1')
  upload.write('POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nx')
  // The other one, begun later, is over by its time limit.
  await sendWithoutEnd(port, 'x', 10)
  upload.write('x')
  const [answer] = await once(upload, 'data')
  expect(String(answer)).toContain('whole')
  upload.destroy()
})
