import { once } from 'node:events'
import { createServer, type RequestListener, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { defineEndpoint } from '@parley/contracts/core/endpoint'
import { expect, test, vi } from 'vitest'
import { startProxy } from './start-proxy.ts'

const common = { access: 'session', permission: 'self', summary: '', status: 200, errors: [] } as const
const endpoints = [
  defineEndpoint({ ...common, operation: 'x.read', method: 'GET', path: '/api/things' }),
  defineEndpoint({ ...common, operation: 'x.add', method: 'POST', path: '/api/things' }),
  defineEndpoint({ ...common, operation: 'x.remove', method: 'DELETE', path: '/api/things' }),
  defineEndpoint({ ...common, operation: 'x.upload', method: 'POST', path: '/api/files', bodyType: 'stream' }),
  defineEndpoint({ ...common, operation: 'x.file', method: 'GET', path: '/api/files', responseType: 'stream' }),
  defineEndpoint({ ...common, operation: 'x.events', method: 'GET', path: '/api/events', responseType: 'events' }),
]

const inFrontOf = (service: RequestListener, more: Partial<Parameters<typeof startProxy>[0]> = {}) =>
  startProxy({ service: createServer(service), endpoints, ...more })

/** A stream of events as a page reads it. */
async function listenAt(origin: string, user = 'a') {
  const response = await fetch(`${origin}/api/events`, { headers: { 'x-test-user': user, 'last-event-id': '41' } })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  return { response, next: async () => (await reader?.read())?.value, ended: async () => (await reader?.read())?.done }
}

/** Sends one event, and more when told. */
function eventService() {
  const open = new Set<Parameters<RequestListener>[1]>()
  const seen: unknown[] = []
  const service: RequestListener = (req, res) => {
    seen.push(req.headers['last-event-id'])
    open.add(res)
    res.once('close', () => open.delete(res))
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    res.write('data: one\n\n')
  }
  return { service, open, seen }
}

test('an event is with the page before the next one is sent, and the stream resumes where the page says', async () => {
  const { service, open, seen } = eventService()
  const stream = await listenAt(await inFrontOf(service))
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
  expect(await stream.next()).toBe('data: one\n\n')
  for (const res of open) res.write('data: two\n\n')
  expect(await stream.next()).toBe('data: two\n\n')
  expect(seen).toEqual(['41'])
})

test('a stream ends at page and service once its session has ended, and others go on', async () => {
  const ended = new Set<string>()
  const { service, open } = eventService()
  const origin = await inFrontOf(service, { isAlive: async ({ hot }) => !ended.has(hot.claims.sub) })
  const [ann, bob] = [await listenAt(origin, 'a'), await listenAt(origin, 'b')]
  await Promise.all([ann.next(), bob.next()])
  ended.add('a')
  expect(await ann.ended()).toBe(true)
  await vi.waitFor(() => expect(open.size).toBe(1))
  for (const res of open) res.write('data: two\n\n')
  expect(await bob.next()).toBe('data: two\n\n')
})

test('a stream whose session cannot be looked at ends', async () => {
  const { service } = eventService()
  const stream = await listenAt(await inFrontOf(service, { isAlive: () => Promise.reject(new Error('Redis is away')) }))
  await stream.next()
  expect(await stream.ended()).toBe(true)
})

test('a user has twenty streams at most; who leaves makes room', async () => {
  const { service } = eventService()
  const origin = await inFrontOf(service)
  const leaving = new AbortController()
  await fetch(`${origin}/api/events`, { signal: leaving.signal })
  for (let count = 1; count < 20; count++) expect((await listenAt(origin)).response.status).toBe(200)
  expect((await listenAt(origin)).response.status).toBe(429)
  expect((await listenAt(origin, 'b')).response.status).toBe(200)
  leaving.abort()
  await vi.waitFor(async () => expect((await listenAt(origin)).response.status).toBe(200))
})

test('an upload arrives while it is still being sent, and its answer is streamed too', async () => {
  const { promise: arrived, resolve: seen } = Promise.withResolvers<void>()
  const origin = new URL(
    await inFrontOf(async (req, res) => {
      req.once('data', () => seen())
      res.write('begun ')
      res.end(await text(req))
    }),
  )
  const call = request({ port: origin.port, host: origin.hostname, method: 'POST', path: '/api/files' })
  call.write('one ')
  await arrived
  const [answer] = await once(call, 'response')
  const [first] = await once(answer, 'data')
  expect(String(first)).toBe('begun ')
  call.end('two')
  expect(await text(answer)).toBe('one two')
})

test('a file keeps its own headers, and only those', async () => {
  const kept = {
    'content-type': 'image/png',
    'content-disposition': 'attachment; filename="a.png"',
    'content-range': 'bytes 0-1/9',
    'accept-ranges': 'bytes',
    'content-security-policy': "sandbox; default-src 'none'",
    etag: '"7"',
  }
  const origin = await inFrontOf((req, res) => {
    const droppedHeaders = { 'set-cookie': 'evil=1', server: 'inside', 'x-request-id': 'theirs', 'x-internal': 'yes' }
    res.writeHead(206, { ...kept, ...droppedHeaders }).end(String(req.headers['range']).slice(-2))
  })
  const { status, headers } = await fetch(`${origin}/api/files`, { headers: { range: 'bytes=0-1' } })
  expect(status).toBe(206)
  const received = Object.fromEntries(headers)
  expect(received).toMatchObject(kept)
  const transport = ['connection', 'date', 'keep-alive', 'transfer-encoding', 'x-request-id']
  expect(Object.keys(received).filter((name) => !(name in kept) && !transport.includes(name))).toEqual([])
  expect(received['x-request-id']).not.toBe('theirs')
})

/** Sends exactly these bytes. @returns the bytes that come back until the connection is silent. */
async function sendRaw(origin: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.end(bytes)
  await once(socket, 'close')
  return received
}

test.each([
  ['GET', 'Transfer-Encoding: chunked', '29\r\nGET /internal/all HTTP/1.1\r\nHost: inside\r\n\r\n\r\n0\r\n\r\n'],
  ['DELETE', 'Transfer-Encoding: chunked', '29\r\nGET /internal/all HTTP/1.1\r\nHost: inside\r\n\r\n\r\n0\r\n\r\n'],
  ['GET', 'Content-Length: 41', 'GET /internal/all HTTP/1.1\r\nHost: inside\r\n\r\n'],
])(
  'a %s with a body (%s) is refused, and the body never becomes a request of its own',
  async (method, header, body) => {
    const seen: unknown[] = []
    const origin = await inFrontOf((req, res) => {
      seen.push(req.url)
      res.end('answered')
    })
    const answer = await sendRaw(origin, `${method} /api/things HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n${body}`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(seen).toEqual([])
  },
)

test('a call uses a connection of an earlier one', async () => {
  const connections = new Set<unknown>()
  const origin = await inFrontOf((req, res) => {
    connections.add(req.socket)
    res.end('answered')
  })
  for (let call = 0; call < 5; call++) await (await fetch(`${origin}/api/things`)).text()
  expect(connections.size).toBe(1)
})

test('more streams than a pool of connections keep no other call waiting', async () => {
  const { service } = eventService()
  const origin = await inFrontOf((req, res) => (req.url === '/api/events' ? service(req, res) : res.end('answered')))
  const users = [...'abcdefghijklmno']
  await Promise.all(users.flatMap((user) => Array.from({ length: 20 }, () => listenAt(origin, user))))
  expect(await (await fetch(`${origin}/api/things`)).text()).toBe('answered')
})
