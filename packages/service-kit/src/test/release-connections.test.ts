import { Agent, createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { releaseConnections } from '../core/release-connections.ts'

const server = createServer((_request, response) => response.end('ok'))
let agent: Agent
beforeEach(async () => {
  agent = new Agent({ keepAlive: true, maxSockets: 1 })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  agent.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** The `Connection` header of an answer, once its body has been read. */
const ask = () =>
  new Promise((resolve, reject) => {
    get({ agent, port: (server.address() as AddressInfo).port, host: '127.0.0.1' }, (answer) => {
      answer.resume().once('end', () => resolve(answer.headers.connection))
    }).once('error', reject)
  })

test('a connection in use goes with its next answer, and then there is nothing to wait for', async () => {
  expect(await ask()).toBe('keep-alive')
  const released = releaseConnections(server, { quietMs: 60_000, atMostMs: 60_000 })
  expect(await ask()).toBe('close')
  await released
})

test('a connection that nobody uses is not waited for beyond the quiet time', async () => {
  await ask()
  await releaseConnections(server, { quietMs: 50, atMostMs: 60_000 })
  expect(await ask()).toBe('close')
})

test('without connections it is done', async () => {
  await releaseConnections(server, { quietMs: 60_000, atMostMs: 60_000 })
})
