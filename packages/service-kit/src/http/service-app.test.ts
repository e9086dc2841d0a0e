import { connect } from 'node:net'
import { errorBodySchema } from '@parley/contracts/core/errors'
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { createLogger } from '../core/logger.ts'
import { createMetrics } from '../core/metrics.ts'
import {
  asService,
  asUser,
  json,
  portOf,
  shopApi,
  startShop,
  userId,
  verifyShopToken,
  workspaceId,
} from '../testing/shop-app.ts'
import { mount } from './mount.ts'
import { createServiceApp } from './service-app.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

async function start(...args: Parameters<typeof startShop>) {
  const shop = await startShop(...args)
  open.push(shop.app)
  return shop
}

const errorOf = (answer: { json: () => unknown }) => errorBodySchema.parse(answer.json())

test('a handler gets parsed input and the caller; the answer holds only what its schema names', async () => {
  const { app } = await start()
  const answer = await app.inject({ url: '/orders/7?page=2', headers: asUser })
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toEqual({ id: `7/2/${userId}/${workspaceId}`, total: 1 })
})

test.each([
  ['no token', {}],
  ['an unknown token', { authorization: 'Bearer no.such.token' }],
  ['another scheme', { authorization: 'Basic user.user.user' }],
  ["a process's token on a user's endpoint", asService],
])('%s is 401 before the body is looked at', async (_name, headers) => {
  const { app } = await start()
  const answer = await app.inject({ method: 'POST', url: '/orders', headers: { ...headers, ...json }, payload: '{"' })
  expect(answer.statusCode).toBe(401)
  expect(errorOf(answer).code).toBe('unauthenticated')
})

test("a user's token does not open an endpoint for processes", async () => {
  const { app } = await start()
  expect((await app.inject({ method: 'POST', url: '/touch', headers: asUser })).statusCode).toBe(401)
  expect((await app.inject({ method: 'POST', url: '/touch', headers: asService })).statusCode).toBe(204)
})

test('a public endpoint needs no token', async () => {
  const { app } = await start()
  expect((await app.inject('/ping')).json()).toEqual({ pong: true })
})

test('a route of the guarded scope that has no endpoint is closed to users', async () => {
  const app = await createServiceApp({
    name: 'bare',
    logger: createLogger({ name: 'bare', level: 'silent' }),
    metrics: createMetrics('bare'),
    verifyToken: verifyShopToken,
    probes: [],
    modules: (scope) => scope.get('/bare', () => 'open'),
  })
  open.push(app)
  expect((await app.inject('/bare')).statusCode).toBe(401)
  expect((await app.inject({ url: '/bare', headers: asUser })).statusCode).toBe(401)
})

test('a wrong body names each field; the message is the text of the first', async () => {
  const { app } = await start()
  const payload = { item: '', count: 'two' }
  const answer = await app.inject({ method: 'POST', url: '/orders', headers: asUser, payload })
  expect(answer.statusCode).toBe(400)
  expect(errorOf(answer)).toMatchObject({
    code: 'validation_failed',
    message: 'Choose an item.',
    fields: { item: 'Choose an item.', count: 'count must be a number.' },
  })
})

test.each([
  ['broken JSON', '{"item"', json, 400, 'malformed_json'],
  ['a poisoned prototype', '{"__proto__":{"a":1},"item":"x","count":1}', json, 400, 'malformed_json'],
  ['another content type', '{"item":"x","count":1}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
  ['a body without a content type', '{"item":"x"}', { 'content-type': '' }, 415, 'unsupported_media_type'],
  ['a body above the limit', JSON.stringify({ item: 'x'.repeat(3000), count: 1 }), json, 413, 'body_too_large'],
  ['no body', '', json, 400, 'validation_failed'],
  ['an array', '[]', json, 400, 'validation_failed'],
])('%s is refused', async (_name, payload, headers, status, code) => {
  const { app } = await start()
  const answer = await app.inject({ method: 'POST', url: '/orders', headers: { ...asUser, ...headers }, payload })
  expect([answer.statusCode, errorOf(answer).code]).toEqual([status, code])
})

test('an empty body under a JSON content type is no body', async () => {
  const { app } = await start()
  const answer = await app.inject({ method: 'POST', url: '/touch', headers: { ...asService, ...json } })
  expect(answer.statusCode).toBe(204)
  expect(answer.body).toBe('')
})

test('an unknown address is 404, a known one with another method 405 with Allow', async () => {
  const { app } = await start()
  expect(errorOf(await app.inject('/nothing')).code).toBe('not_found')
  const answer = await app.inject({ method: 'DELETE', url: '/orders/7', headers: asUser })
  expect(answer.statusCode).toBe(405)
  expect(answer.headers['allow']).toContain('GET')
  expect(errorOf(answer).code).toBe('method_not_allowed')
})

test('an address that cannot be decoded is 400', async () => {
  const { app } = await start()
  expect(errorOf(await app.inject({ url: '/orders/%zz', headers: asUser })).code).toBe('bad_request')
})

test('an unexpected error is a bare 500; what happened stands in the log only', async () => {
  const { app, lines } = await start({
    find: () => {
      throw new Error('the drawer is stuck')
    },
  })
  const answer = await app.inject({ url: '/orders/7', headers: asUser })
  expect(answer.statusCode).toBe(500)
  expect(answer.body).not.toMatch(/drawer|at .*\.ts|stack/)
  expect(lines.join('')).toContain('the drawer is stuck')
})

test('an answer against its schema is a 500, not a leak', async () => {
  const app = await createServiceApp({
    name: 'leaky',
    logger: createLogger({ name: 'leaky', level: 'silent' }),
    metrics: createMetrics('leaky'),
    verifyToken: verifyShopToken,
    probes: [],
    // biome-ignore lint/suspicious/noExplicitAny: the type checker is what this test stands in for.
    modules: (scope) => mount(scope, shopApi.ping, (): any => ({ pong: 'secret' })),
  })
  open.push(app)
  const answer = await app.inject('/ping')
  expect(answer.statusCode).toBe(500)
  expect(answer.body).not.toContain('secret')
})

test.each([
  ['no HTTP at all', 'hello\r\n\r\n', '400'],
  ['headers beyond the limit', `GET /ping HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, '431'],
])('%s is answered in the same envelope', async (_name, bytes, status) => {
  const { app } = await start()
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect(portOf(app), '127.0.0.1')
  socket.end(bytes)
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(errorBodySchema.safeParse(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).success).toBe(true)
})
