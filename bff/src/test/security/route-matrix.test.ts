import { keyCallsApi } from '@parley/contracts/account/api-keys'
import { authorizePath, handlerPath, tokenPath } from '@parley/contracts/account/auth'
import { type Access, type Endpoint, publicPath } from '@parley/contracts/core/endpoint'
import { endpointsOf } from '@parley/processes/endpoints'
import { processes } from '@parley/processes/processes'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { buildApp } from '../../app.ts'
import { publicEndpoints } from '../../public-api/document.ts'
import { newAddress } from '../mailbox.ts'
import { changeAccount } from '../provider-admin.ts'
import { type Bff, startBff } from '../start-bff.ts'

const password = 'correct horse'
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const safe = new Set<string>(['GET', 'HEAD', 'OPTIONS'])

let bff: Bff
const unverified = newAddress()
const verified = newAddress()
let live: string
beforeAll(async () => {
  bff = await startBff()
  for (const address of [unverified, verified]) await bff.browser().signUp(address, password)
  await changeAccount(verified, { emailVerified: true })
  const browser = bff.browser()
  await browser.signUp(newAddress(), password)
  live = browser.cookie()
})
afterAll(() => bff.stop())

type Route = Pick<Endpoint, 'method' | 'path' | 'access'> & Partial<Endpoint> & { readonly exempt?: true }

/** Routes that the BFF serves besides the contracts' endpoints; all of them for anyone. */
const others: Route[] = [
  { method: 'POST', path: tokenPath, access: 'public' },
  { method: 'GET', path: authorizePath, access: 'public' },
  { method: 'GET', path: '/auth/callback', access: 'public' },
  { method: 'GET', path: handlerPath, access: 'public' },
  { method: 'GET', path: `${handlerPath}.js`, access: 'public' },
  { method: 'GET', path: '/healthz', access: 'public' },
  { method: 'GET', path: '/readyz', access: 'public' },
  // The provider calls it: a signed token stands for origin and header.
  { method: 'POST', path: '/auth/backchannel-logout', access: 'public', exempt: true },
]
const proxied = Object.values(endpointsOf)
  .flat()
  .filter(({ access }) => access !== 'service' && access !== 'key')
  // Other systems call a workflow's hook: the token in its address stands for origin and header.
  .map((route): Route => (route.path.startsWith('/v1/hooks/') ? { ...route, exempt: true } : route))
const routes: Route[] = [...proxied, ...others]
const paths = [...Map.groupBy(routes, ({ path }) => path)]

/** Routes of the public API, which looks at no cookie; `public-api.test` calls each of them with keys. */
const forKeys: Pick<Route, 'method' | 'path'>[] = [
  ...publicEndpoints.map((endpoint) => ({ method: endpoint.method, path: publicPath(endpoint) })),
  { method: 'POST', path: '/v1/mcp' },
]
/** Files that describe the public API. */
const reference = [
  '/v1/openapi.json',
  '/v1/docs',
  '/v1/docs/start.js',
  '/v1/docs/swagger-ui.css',
  '/v1/docs/swagger-ui-bundle.js',
  '/llms.txt',
]

const jsonSchema = z.object({
  properties: z.record(z.string(), z.object({ pattern: z.string().optional(), const: z.string().optional() })),
  required: z.array(z.string()).default([]),
})
/** A value that fits each required text of a schema. */
function sample(schema: z.ZodType | undefined): Record<string, string> {
  if (!schema) return {}
  const { properties, required } = jsonSchema.parse(z.toJSONSchema(schema, { io: 'input' }))
  const values = required.map((name): [string, string] => {
    const { const: only, pattern } = properties[name] ?? {}
    const [fitting = 'x'] = pattern ? fc.sample(fc.stringMatching(new RegExp(pattern)), 1) : []
    return [name, only ?? fitting]
  })
  return Object.fromEntries(values)
}

/** The address of a route with parameters and query that its contract accepts. */
function addressOf(route: Route): string {
  const params = sample(route.params)
  const path = route.path.replace(/:(\w+)/g, (_all, name: string) => params[name] ?? 'x')
  const query = new URLSearchParams(sample(route.query))
  return query.size > 0 ? `${path}?${query}` : path
}

const sameOriginHeaders = { 'sec-fetch-site': 'same-origin', 'x-csrf': '1' }
const send = (method: string, address: string, headers: Record<string, string>) =>
  fetch(`${bff.url}${address}`, { method, headers, redirect: 'manual' })

/** Credentials of a new session. */
async function credentials(email: string): Promise<Record<string, string>> {
  const browser = bff.browser()
  expect((await browser.signIn(email, password)).status).toBe(200)
  return { cookie: browser.cookie(), ...(await browser.bearer()) }
}

/** Returns each of a path's methods, declared or not, with the route that declares it. */
const calls = (known: readonly Route[]) =>
  methods.map((method) => {
    const route = known.find((candidate) => candidate.method === method)
    return { method, route, address: addressOf(route ?? known[0] ?? { method: 'GET', path: '/', access: 'public' }) }
  })

const refusesStrangers = (access: Access) => access !== 'public'

describe('nobody, on our own page:', () => {
  test.each(paths)('%s', async (_path, known) => {
    for (const { method, route, address } of calls(known)) {
      const { status, headers } = await send(method, address, sameOriginHeaders)
      if (route && refusesStrangers(route.access)) expect(status, method).toBe(401)
      else if (route) {
        const refusals = [401, 403, 405, ...(route.exempt ? [] : [404])]
        expect(refusals.includes(status) || status >= 500, `${method}: ${status}`).toBe(false)
      } else if (method !== 'HEAD') expect([404, 405], method).toContain(status)
      expect(headers.get('allow')?.split(', ') ?? [], method).toEqual(
        status === 405 ? expect.arrayContaining(known.map((candidate) => candidate.method)) : [],
      )
    }
  })
})

const ofServices: ReadonlySet<Route> = new Set(processes.bff.calls.flatMap((name) => endpointsOf[name] ?? []))
/** Paths that are closed to an unverified account, because they belong to a workspace: the services' endpoints, except for its own profile, and calls of keys. */
const needsVerified = (route: Route) =>
  (ofServices.has(route) || route.operation === keyCallsApi.list.operation) &&
  refusesStrangers(route.access) &&
  !route.allowsUnverified

describe.each([
  ['an unverified account', unverified],
  ['a verified account', verified],
])('%s, on our own page, is let in where it may be:', (_who, email) => {
  test.each(paths)('%s', async (_path, known) => {
    for (const { method, route, address } of calls(known)) {
      if (!route) continue
      const response = await send(method, address, { ...sameOriginHeaders, ...(await credentials(email)) })
      if (email === unverified && needsVerified(route)) {
        expect(await response.json(), method).toMatchObject({ code: 'email_not_verified' })
        continue
      }
      const { status } = response
      await response.body?.cancel()
      expect([401, 403, 405].includes(status) || status >= 500, `${method}: ${status}`).toBe(false)
    }
  })
})

describe('a session without its Bearer:', () => {
  test.each(paths)('%s', async (_path, known) => {
    for (const { method, route, address } of calls(known)) {
      if (route?.access !== 'session+bearer') continue
      expect((await send(method, address, { ...sameOriginHeaders, cookie: live })).status, method).toBe(401)
    }
  })
})

describe.each([
  ['another site', { 'sec-fetch-site': 'cross-site', 'x-csrf': '1' }],
  ['a sibling subdomain', { 'sec-fetch-site': 'same-site', 'x-csrf': '1' }],
  ['a foreign origin', { origin: 'https://evil.example', 'x-csrf': '1' }],
  ['no page at all', { 'x-csrf': '1' }],
  ['our own page without the custom header', { 'sec-fetch-site': 'same-origin' }],
])('a live session from %s changes nothing:', (_who, headers) => {
  test.each(paths)('%s', async (_path, known) => {
    for (const { method, route, address } of calls(known)) {
      const response = await send(method, address, { ...headers, cookie: live })
      if (known.some(({ exempt }) => exempt)) expect([400, 404, 405], method).toContain(response.status)
      else if (!safe.has(method)) expect(response.status, method).toBe(403)
      else expect(response.status, method).toBeLessThan(500)
      if (!route || !safe.has(method)) expect(response.headers.getSetCookie(), method).toEqual([])
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
    const browser = bff.browser()
    browser.setCookie(live)
    expect(await browser.session()).toMatchObject({ authenticated: true })
  })
})

describe.each([
  ['nobody', sameOriginHeaders, false],
  ['a live session', sameOriginHeaders, true],
  ['a live session from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, true],
])('%s is no key:', (_who, headers, signedIn) => {
  test.each(forKeys)('$method $path', async ({ method, path }) => {
    const answer = await send(method, path, { ...headers, ...(signedIn && { cookie: live }) })
    expect(answer.status).toBe(401)
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})

test.each(reference)('anyone reads %s, and nobody changes it', async (path) => {
  expect((await send('GET', path, {})).status).toBe(200)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    expect([403, 404, 405], method).toContain((await send(method, path, sameOriginHeaders)).status)
})

test('every route that the BFF serves is in this matrix', () => {
  const { stack } = buildApp(bff.config, bff.dependencies).router
  const served = stack.flatMap(({ route }) => (typeof route?.path === 'string' ? [route.path] : []))
  expect(served.length).toBeGreaterThan(15)
  const known = new Set<string>([...[...routes, ...forKeys].map(({ path }) => path), ...reference])
  expect(served.filter((path) => !known.has(path))).toEqual([])
})
