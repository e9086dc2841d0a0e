import { request } from 'node:http'
import { join } from 'node:path'
import { freePort } from '@parley/service-kit/testing/free-port'
import { startProcess } from '@parley/service-kit/testing/start-process'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

/** The mail page of compose: maildev as its image runs it, behind the file that compose puts before it. */
let page: Awaited<ReturnType<typeof startProcess>>
let ownAddress: string
beforeAll(async () => {
  const { repoRoot } = inject('stack')
  const port = await freePort()
  ownAddress = `127.0.0.1:${port}`
  const env = {
    NODE_OPTIONS: `--require=${join(repoRoot, 'deploy/docker/compose/own-address.cjs')}`,
    OWN_ADDRESSES: `${ownAddress},localhost:${port}`,
    MAILDEV_WEB_PORT: String(port),
    MAILDEV_SMTP_PORT: String(await freePort()),
    MAILDEV_IP: '127.0.0.1',
  }
  page = await startProcess(join(repoRoot, 'node_modules/maildev/bin/maildev'), env, '/healthz', port)
})
afterAll(() => page.stop())

/** @returns the status of an answer, or that there was none. */
const ask = (path: string, headers: Record<string, string>) =>
  new Promise<number | 'none'>((resolve) => {
    const asked = request(`${page.url}${path}`, { headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 'none')
    })
    asked.on('upgrade', (_answer, socket) => {
      socket.destroy()
      resolve(101)
    })
    asked.on('error', () => resolve('none'))
    asked.end()
  })
const websocket = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': Buffer.alloc(16).toString('base64'),
}

test('the page is shown by its own address, to itself', async () => {
  const { port } = new URL(page.url)
  for (const host of [ownAddress, `localhost:${port}`]) {
    expect(await ask('/email', { host })).toBe(200)
    expect(await ask('/email', { host, origin: `http://${host}` })).toBe(200)
    expect(await ask('/socket.io/?EIO=4&transport=websocket', { host, ...websocket })).toBe(101)
  }
})

test.each([
  ['another website', (host: string) => ({ host, origin: 'https://example.com' })],
  ['a page of another port', (host: string) => ({ host, origin: 'http://localhost:1' })],
  ['a frame without an origin', (host: string) => ({ host, origin: 'null' })],
  ['a name that was led here', () => ({ host: 'rebound.example.com' })],
])('%s is told nothing', async (_name, headersOf) => {
  const headers = headersOf(ownAddress)
  expect(await ask('/email', headers)).toBe(421)
  expect(await ask('/socket.io/?EIO=4&transport=websocket', { ...headers, ...websocket })).toBe('none')
})
