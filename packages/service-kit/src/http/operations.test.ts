import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { asUser, portOf, startShop, workspaceId } from '../testing/shop-app.ts'
import type { Probe } from './operations.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

async function start(...args: Parameters<typeof startShop>) {
  const shop = await startShop(...args)
  open.push(shop.app)
  return shop
}

test('a request leaves one log line: operation, workspace, id, status; no URL, token or body', async () => {
  const { app, lines } = await start()
  const headers = { ...asUser, 'x-request-id': 'request-0001' }
  await app.inject({ url: '/orders/77?page=3', headers })
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    operation: 'shop.find',
    workspaceId,
    requestId: 'request-0001',
    status: 200,
    durationMs: expect.any(Number),
  })
  expect(lines[0]).not.toMatch(/orders|page=3|user\.user/)
})

test('a request id of a harmless shape is kept, any other replaced', async () => {
  const { app } = await start()
  const idFor = async (requestId: string) =>
    (await app.inject({ url: '/ping', headers: { 'x-request-id': requestId } })).headers['x-request-id']
  expect(await idFor('request-0001')).toBe('request-0001')
  for (const requestId of ['short', 'x'.repeat(65), 'has spaces in it', '{"a":"bcdefgh"}']) {
    expect(await idFor(requestId)).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('readiness lists each part; only a required one makes it 503', async () => {
  const probe = (name: string, required: boolean, check: Probe['check']): Probe => ({ name, required, check })
  const store = probe('store', true, async () => true)
  const cache = probe('cache', false, () => Promise.reject(new Error('away')))
  const { app } = await start({ probes: [store, cache] })
  const answer = await app.inject('/readyz')
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toEqual({ status: 'ready', parts: { store: 'ok', cache: 'degraded' } })

  const { app: ill } = await start({ probes: [probe('store', true, async () => false), cache] })
  const illAnswer = await ill.inject('/readyz')
  expect(illAnswer.statusCode).toBe(503)
  expect(illAnswer.json()).toMatchObject({ parts: { store: 'down' } })
})

test('readiness is looked at once, however many ask at a time', async () => {
  let looks = 0
  const check = async () => {
    looks += 1
    return false
  }
  const { app } = await start({ probes: [{ name: 'store', required: true, check }] })
  const ask = async () => (await app.inject('/readyz')).statusCode
  expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array.from({ length: 20 }, () => 503))
  expect(looks).toBe(1)
})

test('readiness falls before the server stops taking requests', async () => {
  const { app } = await start()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  app.addHook('preClose', () => held)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const closing = app.close()
  const answer = await fetch(`http://127.0.0.1:${portOf(app)}/readyz`)
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ status: 'draining' })
  release()
  await closing
})

test('metrics count by operation, never by path', async () => {
  const { app } = await start()
  await app.inject({ url: '/orders/424242', headers: asUser })
  const { body } = await app.inject('/metrics')
  expect(body).toMatch(/_count\{.*operation="shop\.find",method="GET",status="200"\} 1/)
  expect(body).not.toContain('424242')
})

test('the OpenAPI document is made from the mounted endpoints', async () => {
  const { app } = await start()
  const document = (await app.inject('/openapi.json')).json()
  expect(Object.keys(document.paths).sort()).toEqual(['/orders', '/orders/{id}', '/ping', '/touch'])
  expect(document.paths['/orders'].post).toMatchObject({
    operationId: 'shop.create',
    requestBody: { content: { 'application/json': { schema: { required: ['item', 'count'] } } } },
    responses: { 201: {}, 400: { description: 'bad_request, validation_failed, malformed_json' }, 401: {} },
  })
  expect(document.paths['/orders/{id}'].get.parameters).toMatchObject([
    { name: 'id', in: 'path', required: true },
    { name: 'page', in: 'query', required: false },
  ])
})
