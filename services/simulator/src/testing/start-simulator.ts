import { mkdtempSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@parley/service-kit/core/logger'
import { onTestFinished, vi } from 'vitest'
import { buildApp } from '../app.ts'
import { createSimulator } from '../simulator.ts'

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Starts a business's server: it answers the handshake, and records webhooks. */
export async function startReceiver(options: { verifyToken?: string; status?: () => number } = {}) {
  const { verifyToken = 'verify-me', status = () => 200 } = options
  const received: Received[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (request.method === 'GET') {
      const right = url.searchParams.get('hub.verify_token') === verifyToken
      return void response.writeHead(right ? 200 : 403).end(right ? url.searchParams.get('hub.challenge') : '')
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
      response.writeHead(status()).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  /** All changes that have come so far. */
  const changes = () =>
    received.flatMap(({ body }) => JSON.parse(body).entry.flatMap((entry: { changes: Change[] }) => entry.changes))
  const close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${port}/hooks`, verifyToken, received, changes: changes as () => Change[], close }
}
interface Change {
  readonly field: string
  readonly value: Record<string, unknown> & {
    readonly statuses?: { id: string; status: string; [key: string]: unknown }[]
    readonly messages?: { id: string; type: string; [key: string]: unknown }[]
  }
}

/** A simulator that moves messages up without delay, with one number of a business that listens. */
export async function startSimulator(
  options: { folder?: string; receiver?: Awaited<ReturnType<typeof startReceiver>> } = {},
) {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'simulator-test-'))
  const simulator = createSimulator({ folder, seed: 'test' })
  const app = await buildApp(simulator, createLogger({ name: 'simulator', level: 'silent' }))
  simulator.outbound.settings({ sentMs: 0, deliveredMs: 0, readMs: 0, jitterMs: 0 })

  const sim = async (
    path: string,
    payload?: object,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE' = payload ? 'POST' : 'GET',
  ) => {
    const answer = await app.inject({ method, url: `/sim${path}`, ...(payload && { payload }) })
    return { status: answer.statusCode, body: answer.json() }
  }
  const { body: simulatedNumber } = await sim('/numbers', { name: 'Test Shop' })
  const graph = async (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    payload?: object,
    token: string = simulatedNumber.accessToken,
  ) => {
    const answer = await app.inject({
      method,
      url: `/v26.0/${path}`,
      headers: { authorization: `Bearer ${token}` },
      ...(payload && { payload }),
    })
    return { status: answer.statusCode, headers: answer.headers, body: answer.body ? answer.json() : undefined }
  }
  const { receiver } = options
  if (receiver) {
    const override = { override_callback_uri: receiver.url, verify_token: receiver.verifyToken }
    await graph('POST', `${simulatedNumber.accountId}/subscribed_apps`, override)
  }
  const send = (to: string, body: object = { type: 'text', text: { body: 'Hello' } }) =>
    graph('POST', `${simulatedNumber.phoneNumberId}/messages`, { messaging_product: 'whatsapp', to, ...body })
  const hear = (from: string, body = 'Hi') => sim('/inbound', { from, type: 'text', text: { body } })
  const stop = async () => {
    await app.close()
    simulator.stop()
  }
  return { simulator, app, folder, simulatedNumber, sim, graph, send, hear, stop }
}

/** Starts a simulator and the server of a business for one test. @param status with which the server answers. */
export async function start(status?: () => number) {
  const receiver = await startReceiver(status ? { status } : {})
  const running = await startSimulator({ receiver })
  onTestFinished(async () => {
    await running.stop()
    await receiver.close()
  })
  return { ...running, receiver }
}

/** Phone number of a customer who writes. */
export const customer = '919812345678'

export const settled = (check: () => void) => vi.waitFor(check)

/** Returns the statuses of a message that were reported to the business, in their order. */
export const statusesOf = ({ changes }: Pick<Awaited<ReturnType<typeof startReceiver>>, 'changes'>, id: string) =>
  changes().flatMap(({ value }) =>
    (value.statuses ?? []).filter((status) => status.id === id).map(({ status }) => status),
  )
