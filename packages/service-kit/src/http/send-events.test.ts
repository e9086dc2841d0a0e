import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { defineEndpoint } from '@parley/contracts/core/endpoint'
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { startBareApp } from '../testing/bare-app.ts'
import { asUser, userId } from '../testing/shop-app.ts'
import { stopServiceApp } from './base-app.ts'
import { mount } from './mount.ts'
import { type StreamEvent, sendEvents } from './send-events.ts'

const events = defineEndpoint({
  operation: 'events.stream',
  method: 'GET',
  path: '/api/events',
  access: 'session',
  permission: 'member',
  summary: 'What happens.',
  status: 200,
  responseType: 'events',
  errors: [],
})

/** Yields numbers from the one after `lastEventId`, as long as `wait` allows; `left` tells that the iterator was left. */
class Numbers {
  made = 0
  left = 0
  signals: AbortSignal[] = []
  last = Number.POSITIVE_INFINITY
  padding = ''
  async *from(lastEventId: string | undefined, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    this.signals.push(signal)
    try {
      for (let id = Number(lastEventId ?? 0) + 1; id <= this.last; id += 1) {
        this.made += 1
        yield { id: String(id), event: 'number', data: { id, padding: this.padding } }
      }
      if (!signal.aborted) await once(signal, 'abort')
    } finally {
      this.left += 1
    }
  }
}

/** `expect.poll` gives up after a second by default. */
const patience = { timeout: 20_000 }
const open: FastifyInstance[] = []
const readers: IncomingMessage[] = []
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.destroy()
  for (const app of open.splice(0)) await app.close()
})

async function start(numbers: Numbers, limits: { heartbeatMs?: number; slowReaderMs?: number } = {}) {
  const bare = await startBareApp({
    modules: (scope) => {
      mount(scope, events, ({ lastEventId, signal }) => numbers.from(lastEventId, signal))
      scope.get('/quick', { config: { endpoint: { ...events, path: '/quick' } } }, async (request, reply) => {
        const stream = scope.openStreams.open(request.caller)
        return sendEvents(request, reply, { events: numbers.from(undefined, stream.signal), stream, ...limits })
      })
    },
  })
  open.push(bare.app)
  return bare
}

async function connect(url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { headers: { ...asUser, ...headers }, agent: false }), 'response')) as [
    IncomingMessage,
  ]
  response.on('error', () => undefined)
  readers.push(response)
  return response
}

/** Collects a stream; `text()` is all so far. */
function collect(response: IncomingMessage) {
  let seen = ''
  response.setEncoding('utf8').on('data', (chunk: string) => {
    seen += chunk
  })
  return { text: () => seen, ended: once(response, 'close') }
}

test('events are sent as they come, and a reader resumes after the last that it has seen', async () => {
  const numbers = new Numbers()
  numbers.last = 3
  const { url } = await start(numbers)
  const response = await connect(`${url}/api/events`)
  expect(response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  const first = collect(response)
  await expect.poll(first.text, patience).toContain('id: 3\nevent: number\ndata: {"id":3,"padding":""}\n\n')
  expect(first.text()).toContain('id: 1\n')

  numbers.last = 5
  const second = collect(await connect(`${url}/api/events`, { 'last-event-id': '3' }))
  await expect.poll(second.text, patience).toContain('id: 5\n')
  expect(second.text()).not.toContain('id: 3\n')
})

test('a reader that leaves ends the iterator, also one that waits', async () => {
  const numbers = new Numbers()
  numbers.last = 1
  const { app, url } = await start(numbers)
  const response = await connect(`${url}/api/events`)
  await expect.poll(() => numbers.made, patience).toBe(1)
  expect(app.openStreams.count()).toBe(1)
  response.destroy()
  await expect.poll(() => numbers.left, patience).toBe(1)
  expect(app.openStreams.count()).toBe(0)
})

test('streams end on demand, of the chosen caller alone, and all when the server stops', async () => {
  const numbers = new Numbers()
  numbers.last = 1
  const { app, url } = await start(numbers)
  const reader = collect(await connect(`${url}/api/events`))
  await expect.poll(reader.text, patience).toContain('id: 1\n')
  app.openStreams.end((caller) => caller?.claims.sub === 'somebody else')
  expect(app.openStreams.count()).toBe(1)
  app.openStreams.end((caller) => caller?.claims.sub === userId)
  await reader.ended
  const other = collect(await connect(`${url}/api/events`))
  await expect.poll(other.text, patience).toContain('id: 1\n')
  await Promise.all([stopServiceApp(app), other.ended])
  expect(numbers.left).toBe(2)
})

test('a reader that takes nothing is closed: what waits for it is bounded', async () => {
  const numbers = new Numbers()
  numbers.padding = 'x'.repeat(10_000)
  const { app, url } = await start(numbers, { slowReaderMs: 300 })
  const response = await connect(`${url}/quick`)
  response.pause()
  await expect.poll(() => numbers.left, patience).toBe(1)
  expect(app.openStreams.count()).toBe(0)
  // The endless source has made only as many events as fit into the buffers of two sockets.
  expect(numbers.made * 10_000).toBeLessThan(20_000_000)
})

test('a quiet stream has heartbeats', async () => {
  const numbers = new Numbers()
  numbers.last = 0
  const { url } = await start(numbers, { heartbeatMs: 20 })
  const reader = collect(await connect(`${url}/quick`))
  await expect.poll(reader.text, patience).toMatch(/:\n\n:\n\n/)
})

test('one person has 20 streams and not one more', async () => {
  const numbers = new Numbers()
  numbers.last = 1
  const { url } = await start(numbers)
  await Promise.all(Array.from({ length: 20 }, () => connect(`${url}/api/events`)))
  const refused = await connect(`${url}/api/events`)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '10'])
})

test('an event that would break the framing is not sent: the stream ends, and the log says why', async () => {
  const forged = {
    async *from(): AsyncGenerator<StreamEvent> {
      yield { id: '1\ndata: forged', event: 'x', data: 1 }
    },
  }
  const { url, lines } = await start(Object.assign(new Numbers(), forged))
  const reader = collect(await connect(`${url}/api/events`))
  await reader.ended
  expect(reader.text()).not.toContain('forged')
  expect(lines.join('')).toContain('one line each')
})
