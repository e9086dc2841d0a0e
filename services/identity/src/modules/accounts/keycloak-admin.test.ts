import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createKeycloakAdmin } from './keycloak-admin.ts'

interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const json = (status: number, body: unknown) => Response.json(body, { status })
const empty = (status: number) => new Response(null, { status })

/** The provider at the network edge: gives out tokens t1, t2, … and answers admin calls as told. */
function fakeProvider(admin: (seen: Seen) => Response | Promise<Response>, { lifeSeconds = 300 } = {}) {
  const tokenCalls: Seen[] = []
  const adminCalls: Seen[] = []
  const provider = createKeycloakAdmin({
    issuer: 'https://id.example.com/realms/parley',
    clientId: 'svc-identity',
    clientSecrets: ['a+secret&more'],
    fetch: async (input, init) => {
      const request = new Request(input, init)
      const { method, url, headers } = request
      const seen = { method, url, headers, body: await request.text() }
      if (!url.endsWith('/protocol/openid-connect/token')) {
        adminCalls.push(seen)
        return admin(seen)
      }
      tokenCalls.push(seen)
      return json(200, { access_token: `t${tokenCalls.length}`, expires_in: lifeSeconds })
    },
  })
  return { provider, tokenCalls, adminCalls }
}

const list = { method: 'GET', path: '/users', repeatable: true } as const
const create = { method: 'POST', path: '/users', json: { username: 'ann' }, repeatable: false } as const
const logout = { method: 'POST', path: '/users/1/logout', repeatable: true } as const

const settle = async <T>(promise: Promise<T>) => (await Promise.allSettled([promise]))[0]

test("the realm's admin interface is called with the service account's token", async () => {
  const { provider, tokenCalls, adminCalls } = fakeProvider(() => json(200, [{ id: '1' }]))
  const answer = await provider.call({ ...list, query: { email: 'a+b@example.com', exact: 'true' } })
  expect(answer).toEqual({ status: 200, body: [{ id: '1' }], location: undefined })
  expect(adminCalls[0]?.url).toBe(
    'https://id.example.com/admin/realms/parley/users?email=a%2Bb%40example.com&exact=true',
  )
  expect(adminCalls[0]?.headers.get('authorization')).toBe('Bearer t1')
  expect(Object.fromEntries(new URLSearchParams(tokenCalls[0]?.body))).toEqual({
    grant_type: 'client_credentials',
    client_id: 'svc-identity',
    client_secret: 'a+secret&more',
  })
})

test('one token serves many calls, also those that start together', async () => {
  const { provider, tokenCalls, adminCalls } = fakeProvider(() => empty(204))
  await Promise.all([provider.call(logout), provider.call(logout), provider.call(logout)])
  await provider.call(logout)
  expect([tokenCalls.length, adminCalls.length]).toEqual([1, 4])
})

test('a token is replaced half a minute before its end, not earlier', async () => {
  const { provider, tokenCalls } = fakeProvider(() => empty(204), { lifeSeconds: 300 })
  await provider.call(logout)
  vi.advanceTimersByTime(269_000)
  await provider.call(logout)
  expect(tokenCalls).toHaveLength(1)
  vi.advanceTimersByTime(2000)
  await provider.call(logout)
  expect(tokenCalls).toHaveLength(2)
})

test('a refused token is replaced once and the call repeated', async () => {
  const { provider, adminCalls } = fakeProvider(({ headers }) =>
    headers.get('authorization') === 'Bearer t1' ? json(401, { error: 'HTTP 401 Unauthorized' }) : empty(201),
  )
  expect((await provider.call(create)).status).toBe(201)
  expect(adminCalls.map(({ body }) => body)).toEqual(['{"username":"ann"}', '{"username":"ann"}'])
})

test('a provider that refuses every token is not asked without end', async () => {
  const { provider, adminCalls } = fakeProvider(() => json(401, { error: 'HTTP 401 Unauthorized' }))
  expect((await provider.call(create)).status).toBe(401)
  expect(adminCalls).toHaveLength(2)
})

test.each([502, 503, 504])('a repeatable call survives two answers of %i', async (status) => {
  let left = 2
  const { provider, adminCalls } = fakeProvider(() => (left-- > 0 ? empty(status) : empty(204)))
  expect(await settle(provider.call(logout))).toMatchObject({ value: { status: 204 } })
  expect(adminCalls).toHaveLength(3)
})

test('a third failure ends it: identity_provider_unavailable', async () => {
  const { provider, adminCalls } = fakeProvider(() => Promise.reject(new TypeError('fetch failed')))
  expect(await settle(provider.call(list))).toMatchObject({ reason: { code: 'identity_provider_unavailable' } })
  expect(adminCalls).toHaveLength(3)
})

test.each([
  ['a connection that fails', () => Promise.reject(new TypeError('fetch failed'))],
  ['a gateway that answers', () => empty(503)],
])('%s is not tried again where that could create something twice', async (_name, admin) => {
  const { provider, adminCalls } = fakeProvider(admin)
  expect(await settle(provider.call(create))).toMatchObject({ reason: { code: 'identity_provider_unavailable' } })
  expect(adminCalls).toHaveLength(1)
})

test('a time-out is not repeated', async () => {
  const late = () => Promise.reject(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  const { provider, adminCalls } = fakeProvider(late)
  expect(await settle(provider.call(list))).toMatchObject({ reason: { code: 'identity_provider_unavailable' } })
  expect(adminCalls).toHaveLength(1)
})

test('an answer that is no JSON has no body', async () => {
  const { provider } = fakeProvider(() => new Response('<html>', { status: 404 }))
  expect(await provider.call(list)).toEqual({ status: 404, body: undefined, location: undefined })
})

test.each([
  ['wrong credentials', () => json(401, { error: 'unauthorized_client' })],
  ['a token without a life', () => json(200, { access_token: 'x' })],
  ['a page', () => new Response('<html>')],
])('%s at the token endpoint: unavailable, and not ready', async (_name, answer) => {
  const provider = createKeycloakAdmin({
    issuer: 'https://id.example.com/realms/parley',
    clientId: 'svc-identity',
    clientSecrets: ['wrong'],
    fetch: async () => answer(),
  })
  await expect(provider.call(list)).rejects.toMatchObject({ code: 'identity_provider_unavailable' })
  await expect(provider.answers()).rejects.toMatchObject({ code: 'identity_provider_unavailable' })
})

test.each([404, 403])(
  'it is not ready while the admin interface answers %i, and asks it no more once it has',
  async (status) => {
    let answer = empty(status)
    const { provider, adminCalls } = fakeProvider(() => answer)
    expect(await provider.answers()).toBe(false)
    answer = json(200, [])
    expect(await provider.answers()).toBe(true)
    answer = empty(status)
    expect(await provider.answers()).toBe(true)
    expect(adminCalls).toHaveLength(2)
  },
)

test('readiness asks the provider anew once its last token is ten seconds old', async () => {
  const { provider, tokenCalls } = fakeProvider(() => json(200, []))
  await provider.answers()
  await provider.answers()
  expect(tokenCalls).toHaveLength(1)
  vi.advanceTimersByTime(11_000)
  await provider.answers()
  expect(tokenCalls).toHaveLength(2)
})

test('the secret may change at the provider while both are known here', async () => {
  let accepted = 'old-secret'
  const tried: string[] = []
  const provider = createKeycloakAdmin({
    issuer: 'https://id.example.com/realms/parley',
    clientId: 'svc-identity',
    clientSecrets: ['old-secret', 'new-secret'],
    fetch: async (input, init) => {
      const request = new Request(input, init)
      if (!request.url.endsWith('/token')) return json(200, [])
      const secret = new URLSearchParams(await request.text()).get('client_secret') ?? ''
      tried.push(secret)
      if (secret !== accepted) return json(401, { error: 'unauthorized_client' })
      // Short enough that each call needs another one.
      return json(200, { access_token: secret, expires_in: 0.000_001 })
    },
  })
  expect((await provider.call(list)).status).toBe(200)
  accepted = 'new-secret'
  for (let count = 0; count < 2; count++) {
    vi.advanceTimersByTime(1000)
    expect((await provider.call(list)).status).toBe(200)
  }
  expect(tried).toEqual(['old-secret', 'old-secret', 'new-secret', 'new-secret'])
})
