import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { defineEndpoint, type Endpoint } from '@parley/contracts/core/endpoint'
import { errorBodySchema } from '@parley/contracts/core/errors'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { rawRequest } from './raw-request.ts'
import { startProxy } from './start-proxy.ts'

const params = z.object({ id: z.string().regex(/^[\w .:@-]{1,40}$/) })
const of = (endpoint: Pick<Endpoint, 'method' | 'path'> & Partial<Endpoint>): Endpoint =>
  defineEndpoint({
    operation: `things.${endpoint.method}.${endpoint.path}`,
    access: 'session',
    permission: 'self',
    summary: '',
    status: 200,
    errors: [],
    ...endpoint,
  } as Endpoint)

/** Parameters come before fixed segments here, as they may in a contract. */
const endpoints = [
  of({ method: 'GET', path: '/api/things/:id', params, query: z.object({ deep: z.literal('1').optional() }) }),
  of({ method: 'DELETE', path: '/api/things/:id', params }),
  of({ method: 'PATCH', path: '/api/things/:id', params, body: z.object({}) }),
  of({ method: 'POST', path: '/api/things/bulk', body: z.object({}) }),
  of({ method: 'GET', path: '/api/things/:id/parts/:part', params: params.extend({ part: z.string().max(9) }) }),
  of({
    method: 'GET',
    path: '/api/things',
    query: z.object({
      q: z.string().max(10).optional(),
      limit: z.coerce.number().int().max(100).optional(),
      tags: z.union([z.string(), z.array(z.string())]).optional(),
    }),
  }),
]

/** Answers with what has reached it. */
async function echo(req: IncomingMessage, res: ServerResponse): Promise<void> {
  res.end(`${req.method} ${req.url} ${await text(req)}`)
}
const ask = async (method: string, address: string, init: RequestInit = {}) => {
  const origin = await startProxy({ service: createServer(echo), endpoints })
  return fetch(`${origin}${address}`, { method, ...init })
}
const reached = async (method: string, address: string, init?: RequestInit) =>
  (await ask(method, address, init)).text().then((line) => line.trim())

test('a parameter reaches the service, encoded', async () => {
  expect(await reached('GET', '/api/things/7')).toBe('GET /api/things/7')
  expect(await reached('GET', '/api/things/a%20b:c@d')).toBe('GET /api/things/a%20b%3Ac%40d')
  expect(await reached('GET', '/api/things/7/parts/a%2Fb')).toBe('GET /api/things/7/parts/a%2Fb')
})

test.each([
  ['a value of the query', '?q=a+b%26c', '?q=a+b%26c'],
  ['a repeated value', '?tags=vip&tags=lead', '?tags=vip&tags=lead'],
  ['a number as it was written', '?limit=05', '?limit=05'],
  ['nothing that the endpoint does not declare', '?q=x&admin=1&__proto__=y&constructor=z', '?q=x'],
  ['no query at all', '', ''],
])('%s reaches the service', async (_what, sent, received) => {
  expect(await reached('GET', `/api/things${sent}`)).toBe(`GET /api/things${received}`)
})

test.each([
  ['a parameter', '/api/things/%24%7Bx%7D', 'id'],
  ['a value of the query', '/api/things?limit=1000', 'limit'],
  ['a second value where one is expected', '/api/things?q=a&q=b', 'q'],
])('%s that the contract refuses is 400 and names its field', async (_what, address, field) => {
  const answer = await ask('GET', address)
  expect(answer.status).toBe(400)
  const body = errorBodySchema.parse(await answer.json())
  expect([body.code, Object.keys(body.fields ?? {})]).toEqual(['validation_failed', [field]])
})

test('a parameter cannot climb in the path', async () => {
  const origin = await startProxy({ service: createServer(echo), endpoints })
  for (const climbing of ['..', '.', '%2e%2e', '%2E.', '%2e']) {
    const { status, body } = await rawRequest(origin, { path: `/api/things/x/parts/${climbing}` })
    expect([status, errorBodySchema.parse(JSON.parse(body)).code], climbing).toEqual([404, 'not_found'])
  }
})

test('fixed segments come before parameters, whatever the order of declaration', async () => {
  expect(await reached('POST', '/api/things/bulk', { body: '{}' })).toBe('POST /api/things/bulk {}')
  const other = await ask('DELETE', '/api/things/bulk')
  expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST'])
  const unknown = await ask('PUT', '/api/things/7')
  expect([unknown.status, unknown.headers.get('allow')]).toEqual([405, 'GET, DELETE, PATCH'])
})

describe('a list of endpoints that cannot be told apart is refused at start:', () => {
  test.each([
    ['a call that is there twice', { method: 'GET', path: '/api/things/:id', params }],
    ['another name for the same parameter', { method: 'PUT', path: '/api/things/:thing', params }],
    ['a parameter without a schema', { method: 'GET', path: '/api/others/:id' }],
    ['a call between processes', { method: 'GET', path: '/api/inside', access: 'service', callers: ['x'] }],
  ] as const)('%s', async (_what, endpoint) => {
    const service = createServer(echo)
    await expect(startProxy({ service, endpoints: [...endpoints, of(endpoint)] })).rejects.toThrow()
  })
})
