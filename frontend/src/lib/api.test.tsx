import { defineEndpoint } from '@parley/contracts/core/endpoint'
import { pageOf } from '@parley/contracts/core/records'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { errorOf, stubServer } from '../testing/stub-server.ts'
import { ApiError, call } from './api.ts'
import { createQueryClient } from './query-client.ts'

const rename = defineEndpoint({
  operation: 'things.rename',
  method: 'PATCH',
  path: '/api/things/:id',
  access: 'session+bearer',
  permission: 'member',
  summary: 'For this test.',
  params: z.object({ id: z.string() }),
  query: z.object({ dry: z.boolean().optional(), page: z.number().optional() }),
  body: z.object({ name: z.string() }),
  status: 200,
  response: z.object({ name: z.string() }),
  errors: [],
})

test('a call fills in path and query, and sends body, Bearer, cookies and X-CSRF', async () => {
  const server = stubServer({ 'PATCH /api/things/a%2Fb': () => ({ json: { name: 'New', more: 1 } }) })
  const answer = await call(rename, {
    params: { id: 'a/b' },
    query: { dry: true, page: undefined },
    body: { name: 'New' },
    bearer: 'token',
  })
  expect(answer).toEqual({ name: 'New' })
  const [sent] = server.calls
  expect(sent?.headers.get('authorization')).toBe('Bearer token')
  expect(sent?.headers.get('x-csrf')).toBe('1')
  expect(sent?.headers.get('content-type')).toBe('application/json')
  expect(sent?.body).toBe('{"name":"New"}')
})

test('every unsafe call names its intent; a caller that tries again keeps the name', async () => {
  const server = stubServer({
    'PATCH /api/things/1': () => ({ json: { name: 'x' } }),
    'GET /api/a': () => ({ json: 1 }),
  })
  const request = { params: { id: '1' }, query: {}, body: { name: 'x' } }
  await call(rename, request)
  await call(rename, request)
  await call(rename, { ...request, idempotencyKey: 'mine' })
  const [first, second, third] = server.calls.map(({ headers }) => headers.get('idempotency-key'))
  expect(first).toBeTruthy()
  expect(second).not.toBe(first)
  expect(third).toBe('mine')
  await get(['/api/a'])
  expect(server.calls.at(-1)?.headers.has('idempotency-key')).toBe(false)
})

test('an answer that breaks the contract is an error', async () => {
  stubServer({ 'PATCH /api/things/1': () => ({ json: { name: 7 } }) })
  await expect(call(rename, { params: { id: '1' }, query: {}, body: { name: 'x' } })).rejects.toThrow()
})

test.each([
  [{ status: 400, json: errorOf('validation_failed', 'Enter a name.') }, 'Enter a name.'],
  [{ status: 502, text: '<h1>Bad gateway</h1>' }, undefined],
])('a refused call throws status and body', async (answer, message) => {
  stubServer({ 'PATCH /api/things/1': () => answer })
  const error = await call(rename, { params: { id: '1' }, query: {}, body: { name: 'x' } }).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: answer.status })
  expect(error instanceof ApiError && error.body.message).toBe(message)
})

const get = (queryKey: readonly string[], meta?: Record<string, unknown>) =>
  createQueryClient().fetchQuery({ queryKey, ...(meta ? { meta } : {}) })

test('a query without a function gets the path that its key makes', async () => {
  const server = stubServer({ 'GET /api/things/7/parts': () => ({ json: [1, 2] }) })
  expect(await get(['/api/things', '7', 'parts'])).toEqual([1, 2])
  expect(server.calls).toHaveLength(1)
})

test('its error reads status and body, or the status text where the body is empty, and nothing is retried', async () => {
  const server = stubServer({ 'GET /api/a': () => ({ status: 500, text: 'Broken' }) })
  await expect(get(['/api/a'])).rejects.toThrow(/^500: Broken$/)
  expect(server.calls).toHaveLength(1)
  stubServer({ 'GET /api/a': () => new Response(null, { status: 404, statusText: 'Not Found' }) })
  await expect(get(['/api/a'])).rejects.toThrow(/^404: Not Found$/)
})

test('a 401 throws, or yields null where the query says so', async () => {
  stubServer({ 'GET /api/a': () => ({ status: 401, text: '' }) })
  await expect(get(['/api/a'])).rejects.toThrow(/^401/)
  expect(await get(['/api/a'], { on401: 'null' })).toBeNull()
})

test('of a list, the one record that this page cannot read is left out and counted', async () => {
  const list = defineEndpoint({
    operation: 'things.list',
    method: 'GET',
    path: '/api/things',
    access: 'session',
    permission: 'member',
    summary: 'For this test.',
    status: 200,
    errors: [],
    response: pageOf(z.object({ name: z.enum(['tea', 'milk']) })),
  })
  const page = { items: [{ name: 'tea' }, { name: 'of a newer service' }], nextCursor: null, previousCursor: null }
  stubServer({ 'GET /api/things': () => ({ json: { ...page, total: 3, leftOut: 1 } }) })
  expect(await call(list)).toMatchObject({ items: [{ name: 'tea' }], total: 3, leftOut: 2 })
})
