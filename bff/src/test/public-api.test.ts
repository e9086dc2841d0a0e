import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { apiKeysApi } from '@parley/contracts/account/api-key-endpoints'
import { type IssuedKey, keyCallsApi } from '@parley/contracts/account/api-keys'
import { publicPath } from '@parley/contracts/core/endpoint'
import { errorBodySchema } from '@parley/contracts/core/errors'
import { meApi } from '@parley/contracts/platform/public-api'
import { endpointsOf } from '@parley/processes/endpoints'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { publicEndpoints } from '../public-api/document.ts'
import { newAddress } from './mailbox.ts'
import { changeAccount } from './provider-admin.ts'
import { type Bff, startBff } from './start-bff.ts'

let bff: Bff
/** Id of a contact that the service does not have. */
const missing = 'e'.repeat(24)
let messaging: Server
let seen: { method: string; url: string; claims: ReturnType<typeof decodeJwt>; headers: Record<string, unknown> }[]
let browser: ReturnType<Bff['browser']>
beforeAll(async () => {
  // Answers every call with its caller.
  messaging = createServer((req, res) => {
    const { method = '', url = '', headers } = req
    const claims = url === '/readyz' ? {} : decodeJwt(String(headers.authorization).slice('Bearer '.length))
    if (url !== '/readyz') seen.push({ method, url, claims, headers })
    if (url.endsWith(missing)) {
      res.writeHead(404, { 'content-type': 'application/json', 'x-error-code': 'not_found' })
      res.end(JSON.stringify({ code: 'not_found', message: 'There is no such contact.', requestId: 'r' }))
      return
    }
    res.writeHead(200, { 'content-type': 'application/json', 'idempotent-replayed': 'true', 'set-cookie': 'x=1' })
    res.end('{}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => messaging.once('listening', resolve))
  const limits = {
    LIMIT_CALLS_PER_MINUTE_PER_KEY: '30',
    LIMIT_FAILED_KEYS_PER_MINUTE_PER_IP: '5',
    TRUST_PROXY_HOPS: '1',
  }
  bff = await startBff({ MESSAGING_URL: `http://127.0.0.1:${(messaging.address() as AddressInfo).port}`, ...limits })
  browser = await signedIn()
})
afterAll(async () => {
  await bff.stop()
  messaging.closeAllConnections()
  messaging.close()
})
beforeEach(() => {
  seen = []
})

async function signedIn() {
  const one = bff.browser()
  const email = newAddress()
  await one.signUp(email, 'correct horse')
  await changeAccount(email, { emailVerified: true })
  expect((await one.signIn(email, 'correct horse')).status).toBe(200)
  return one
}
async function make(json: object = {}): Promise<IssuedKey> {
  const answer = await browser.postJson('/api/api-keys', { name: 'Shop', scopes: ['contacts:read'], ...json })
  expect(answer.status).toBe(201)
  return apiKeysApi.create.response.parse(await answer.json())
}
const me = async (secret: string) => meApi.read.response.parse(await (await call('/v1/me', secret)).json())
let octet = 0
const newIp = () => {
  octet += 1
  return `198.51.${octet >> 8}.${octet & 255}`
}
const call = (path: string, key: string, { method = 'GET', headers = {}, ip = newIp() } = {}) =>
  fetch(`${bff.url}${path}`, { method, headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': ip, ...headers } })
const codeOf = async (answer: Response): Promise<string> => errorBodySchema.parse(await answer.json()).code
const fill = (path: string) => path.replaceAll(/:\w+/g, 'a'.repeat(24))

test('a call with a key reaches the service as the key, with its scopes, and as nobody else', async () => {
  const { key, secret } = await make({ scopes: ['contacts:read', 'numbers:read'], numbers: ['n1'] })
  const answer = await call('/v1/contacts?limit=5', secret, { headers: { cookie: browser.cookie(), 'x-user': 'x' } })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('idempotent-replayed')).toBe('true')
  expect(answer.headers.getSetCookie()).toEqual([])
  expect(seen).toMatchObject([{ method: 'GET', url: '/api/contacts?limit=5' }])
  const { workspaceId } = await me(secret)
  expect(seen[0]?.claims).toMatchObject({
    sub: `key:${key.id}`,
    wid: workspaceId,
    scopes: ['contacts:read', 'numbers:read'],
    numbers: ['n1'],
    aud: 'messaging',
  })
  expect(seen[0]?.headers).not.toHaveProperty('cookie')
})

test('it says who it is', async () => {
  const { key, secret } = await make()
  const { id, name, scopes, expiresAt } = key
  expect(await me(secret)).toMatchObject({
    key: { id, name, scopes, expiresAt, numbers: [] },
  })
})

describe.each(publicEndpoints.map((endpoint) => [endpoint.operation, endpoint] as const))('%s', (_name, endpoint) => {
  test('a live cookie is no key', async () => {
    const { method } = endpoint
    const answer = await browser.send(method, fill(publicPath(endpoint)), {
      headers: { 'content-type': 'application/json' },
    })
    expect([answer.status, await codeOf(answer)]).toEqual([401, 'unauthenticated'])
    expect(answer.headers.get('www-authenticate')).toContain('Bearer')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    const bearer = await browser.send(method, fill(publicPath(endpoint)), { headers: await browser.bearer() })
    expect(bearer.status).toBe(401)
    expect(seen).toEqual([])
  })
})

const ofPage = Object.values(endpointsOf)
  .flatMap((endpoints) => endpoints ?? [])
  .filter(({ path }) => path.startsWith('/api/'))
test('no key opens what the page calls', async () => {
  const { secret } = await make()
  expect(ofPage.length).toBeGreaterThan(100)
  for (const { method, path } of ofPage) {
    const answer = await call(fill(path), secret, { method, headers: { cookie: browser.cookie() } })
    expect([method, path, answer.status]).toEqual([method, path, 401])
  }
  expect(seen).toEqual([])
})

test('what is not public is not there, and a page of another origin gets no permission', async () => {
  const { secret } = await make()
  for (const path of ['/v1/members', '/v1/api-keys', '/v1/nothing', '/v1/internal/key-context'])
    for (const method of ['GET', 'POST']) expect((await call(path, secret, { method })).status, path).toBe(404)
  expect((await call('/v1/me', secret, { method: 'DELETE' })).status).toBe(405)
  const asked = await fetch(`${bff.url}/v1/me`, { method: 'OPTIONS', headers: { origin: 'https://evil.example' } })
  expect(asked.headers.get('access-control-allow-origin')).toBeNull()
  expect((await fetch(`${bff.url}/v1/projects`)).status).toBe(200)
})

test('a parameter that is not declared is refused by its name, and so is a body that is compressed', async () => {
  const { secret } = await make({ scopes: ['contacts:read', 'contacts:write'] })
  const answer = await call('/v1/contacts?limti=5&q=a', secret)
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { code: 'validation_failed', fields: { limti: 'There is no such parameter.' } },
  ])
  expect((await call(`/v1/contacts/${fill(':id')}?expand=tags`, secret)).status).toBe(400)
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const compressed = await call('/v1/contacts', secret, { method: 'POST', headers })
  expect([compressed.status, await codeOf(compressed)]).toEqual([415, 'unsupported_media_type'])
  expect(seen).toEqual([])
})

test('a change, a rotation and an end count with the next call', async () => {
  const { key, secret } = await make()
  for (let count = 0; count < 4; count += 1) expect((await call('/v1/contacts', secret)).status).toBe(200)
  const change = { method: 'PATCH', body: JSON.stringify({ scopes: ['numbers:read'], version: 1 }) }
  const path = `/api/api-keys/${key.id}`
  const json = { 'content-type': 'application/json' }
  expect((await browser.send(change.method, path, { body: change.body, headers: json })).status).toBe(200)
  await vi.waitFor(async () => {
    const { key: now } = await me(secret)
    expect(now.scopes).toEqual(['numbers:read'])
  })
  const rotated = apiKeysApi.rotate.response.parse(
    await (await browser.postJson(`${path}/rotate`, { overlapHours: 1 })).json(),
  )
  for (const key of [secret, rotated.secret]) expect((await call('/v1/me', key)).status).toBe(200)
  expect((await browser.send('DELETE', path)).status).toBe(204)
  await vi.waitFor(async () => expect((await call('/v1/me', secret)).status).toBe(401))
  expect((await call('/v1/me', rotated.secret)).status).toBe(200)
})

test('a key is for the networks that it names', async () => {
  const { secret } = await make({ networks: ['203.0.113.0/24'] })
  expect((await call('/v1/me', secret, { ip: '203.0.113.9' })).status).toBe(200)
  expect(await codeOf(await call('/v1/me', secret, { ip: '203.0.114.9' }))).toBe('forbidden')
})

test('every answer says what is left, and the call that is too many when to come back', async () => {
  const { secret } = await make()
  const first = await call('/v1/me', secret)
  expect(first.headers.get('ratelimit-policy')).toBe('"second";q=50;w=1, "minute";q=30;w=60, "workspace";q=1200;w=60')
  expect(first.headers.get('ratelimit')).toMatch(/^"minute";r=29;t=\d+$/)
  for (let count = 1; count < 30; count += 1) expect((await call('/v1/me', secret)).status).toBe(200)
  const last = await call('/v1/me', secret)
  expect([last.status, await codeOf(last)]).toEqual([429, 'rate_limited'])
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(last.headers.get('ratelimit')).toMatch(/^"minute";r=0;t=\d+$/)
  const other = await make()
  expect((await call('/v1/me', other.secret)).status).toBe(200)
})

test('an address that tries keys is stopped; a mistyped key costs no look-up', async () => {
  const { secret } = await make()
  const ip = newIp()
  const wrong = (end: number) => `${secret.slice(0, -2)}${end}${secret.endsWith('x') ? 'y' : 'x'}`
  for (let count = 0; count < 5; count += 1) expect((await call('/v1/me', wrong(count), { ip })).status).toBe(401)
  expect((await call('/v1/me', wrong(5), { ip })).status).toBe(429)
  expect((await call('/v1/me', wrong(5))).status).toBe(401)
})

test('a program that goes on with a dead key shuts no valid key of its address out', async () => {
  const [dead, later] = [await make(), await make()]
  const ip = newIp()
  expect((await call('/v1/me', dead.secret, { ip })).status).toBe(200)
  expect((await browser.send('DELETE', `/api/api-keys/${dead.key.id}`)).status).toBe(204)
  await vi.waitFor(async () => expect((await call('/v1/me', dead.secret)).status).toBe(401))
  for (const key of [dead.secret, `${dead.secret.slice(0, -2)}00`])
    for (let count = 0; count < 6; count += 1) expect((await call('/v1/me', key, { ip })).status).toBe(401)
  expect((await call('/v1/me', later.secret, { ip })).status).toBe(200)
})

test('a key that was valid is asked for again, also where others of its address are guessed', async () => {
  const { secret } = await make()
  const ip = newIp()
  expect((await call('/v1/me', secret, { ip })).status).toBe(200)
  for (let count = 0; count < 6; count += 1) await call('/v1/me', `${secret.slice(0, -2)}0${count}`, { ip })
  const later = performance.now() + 61_000
  vi.spyOn(performance, 'now').mockReturnValue(later)
  expect((await call('/v1/me', secret, { ip })).status).toBe(200)
  vi.restoreAllMocks()
})

test('the calls of a key are listed for its workspace, without addresses and bodies', async () => {
  const { key, secret } = await make()
  await call('/v1/contacts?q=secret-name', secret)
  await call('/v1/contacts?limit=1000', secret)
  const path = `/api/api-keys/${key.id}/calls`
  await vi.waitFor(async () => {
    const { items } = keyCallsApi.list.response.parse(await (await browser.send('GET', path)).json())
    expect(items).toMatchObject([
      { operation: 'contacts.list', status: 400, code: 'validation_failed' },
      { operation: 'contacts.list', status: 200 },
    ])
    expect(JSON.stringify(items)).not.toContain('secret-name')
  })
  const refused = await call(`/v1/contacts/${missing}`, secret)
  expect([refused.status, refused.headers.get('x-error-code')]).toEqual([404, null])
  await vi.waitFor(async () => {
    const { items } = keyCallsApi.list.response.parse(await (await browser.send('GET', path)).json())
    expect(items[0]).toMatchObject({ operation: 'contacts.read', status: 404, code: 'not_found' })
  })
  const stranger = await signedIn()
  expect(await (await stranger.send('GET', path)).json()).toEqual({ items: [] })
  expect((await fetch(`${bff.url}${path}`)).status).toBe(401)
})

test('the last use is told to the profile service', async () => {
  const { key, secret } = await make()
  await call('/v1/me', secret, { ip: '203.0.113.77' })
  await bff.dependencies.publicApi.log.tell()
  const { items } = apiKeysApi.list.response.parse(await (await browser.send('GET', '/api/api-keys')).json())
  expect(items.find(({ id }) => id === key.id)).toMatchObject({ lastUsedIp: '203.0.113.77' })
})

test('calls are counted by their outcome', async () => {
  const countOf = async (outcome: string) => {
    const { text } = await bff.dependencies.metrics.render()
    return Number(new RegExp(`^api_key_calls_total\\{.*outcome="${outcome}".*\\} (\\d+)`, 'm').exec(text)?.[1])
  }
  const { secret } = await make()
  const counts = { answered: '/v1/me', refused: '/v1/contacts?limit=1000', unknown_key: '/v1/me' }
  for (const [outcome, path] of Object.entries(counts)) {
    const before = await countOf(outcome)
    await call(path, outcome === 'unknown_key' ? `${secret}x` : secret)
    await vi.waitFor(async () => expect(await countOf(outcome), outcome).toBe(before + 1))
  }
})

test('a call to the address of a workflow needs no key, carries none on, and is in no log', async () => {
  const token = `whk_${'a'.repeat(43)}`
  const hook = { method: 'POST', headers: { 'idempotency-key': 'order-1', cookie: browser.cookie() } }
  const answer = await fetch(`${bff.url}/v1/hooks/${token}`, { ...hook, body: '{"phone":"+919812340000"}' })
  // Automation itself has answered.
  expect([answer.status, await answer.json()]).toMatchObject([
    404,
    { message: expect.stringContaining('There is no such address') },
  ])
  expect((await fetch(`${bff.url}/v1/hooks/${token}`)).status).toBe(405)
  expect(bff.log.join('')).not.toContain(token)
})

test('an address that calls without a key too often is stopped for a minute', async () => {
  const ip = newIp()
  const once = () => fetch(`${bff.url}/v1/hooks/x`, { method: 'POST', headers: { 'x-forwarded-for': ip }, body: '{}' })
  const answers = new Set<number>()
  for (let count = 0; count < 13; count += 1)
    for (const { status } of await Promise.all(Array.from({ length: 100 }, once))) answers.add(status)
  expect(answers).toEqual(new Set([404, 429]))
})

test('no key is in the log', async () => {
  const { secret } = await make()
  await call('/v1/contacts', secret)
  await call('/v1/contacts', `${secret}x`)
  expect(bff.log.join('')).not.toContain(secret.slice(17))
})
