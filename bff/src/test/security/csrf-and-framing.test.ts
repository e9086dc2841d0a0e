import { errorBodySchema } from '@parley/contracts/core/errors'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createFlowBrowser } from '../flow.ts'
import { linkFrom, newAddress } from '../mailbox.ts'
import { rawRequest } from '../raw-request.ts'
import { type Bff, startBff } from '../start-bff.ts'

let bff: Bff
let live: string
const password = 'correct horse'
beforeAll(async () => {
  bff = await startBff()
  const browser = bff.browser()
  await browser.signUp(newAddress(), password)
  live = browser.cookie()
})
afterAll(() => bff.stop())

const json = { 'content-type': 'application/json' }
const post = (path: string, headers: Record<string, string>, body = '{}') =>
  fetch(`${bff.url}${path}`, { method: 'POST', body, headers: { cookie: live, ...headers } })

describe('a call from elsewhere is refused and changes nothing:', () => {
  const marked = { ...json, 'x-csrf': '1' }
  test.each([
    ['cross-site', { ...marked, 'sec-fetch-site': 'cross-site' }],
    ['a sibling subdomain', { ...marked, 'sec-fetch-site': 'same-site' }],
    ['the address bar', { ...marked, 'sec-fetch-site': 'none' }],
    ['an unknown word', { ...marked, 'sec-fetch-site': 'same-origin, cross-site' }],
    ['cross-site with a forged Origin', { ...marked, 'sec-fetch-site': 'cross-site', origin: 'PUBLIC' }],
    ['Origin: null', { ...marked, origin: 'null' }],
    ['another origin', { ...marked, origin: 'https://evil.example' }],
    ['a look-alike origin', { ...marked, origin: 'PUBLIC.evil.example' }],
    ['another port', { ...marked, origin: 'http://localhost:1' }],
    ['no origin at all', marked],
    ['no custom header', { ...json, 'sec-fetch-site': 'same-origin' }],
    ['a custom header of another value', { ...json, 'sec-fetch-site': 'same-origin', 'x-csrf': 'true' }],
    ['an authorization that is no Bearer', { ...json, 'sec-fetch-site': 'same-origin', authorization: 'Basic eA==' }],
    ['a plain form', { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }],
    ['a form as text', { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site', 'x-csrf': '1' }],
  ])('%s', async (_what, template) => {
    const entries = Object.entries(template).map(([name, value]) => [
      name,
      value.replace('PUBLIC', bff.config.PUBLIC_ORIGIN),
    ])
    const headers: Record<string, string> = Object.fromEntries(entries)
    for (const path of [
      '/auth/sign-up',
      '/auth/sign-out',
      '/auth/password-reset',
      '/auth/reload',
      '/auth/token-sync',
      '/api/auth/sync',
    ]) {
      const response = await post(path, headers)
      expect(response.status, path).toBe(403)
      expect(response.headers.getSetCookie()).toEqual([])
      expect(errorBodySchema.parse(await response.json()).code).toBe('csrf_rejected')
    }
    const token = await post('/auth/token', headers, 'grant_type=password')
    expect(token.status).toBe(403)
    expect(await token.json()).toMatchObject({ error: 'invalid_request', error_description: expect.any(String) })
    const browser = bff.browser()
    browser.setCookie(live)
    expect(await browser.session()).toMatchObject({ authenticated: true })
  })

  test.each(['/auth/sign-up', '/auth/session', '/auth/token', '/api/auth/user', '/api/auth/profile', '/'])(
    'no preflight is ever allowed, and no answer readable: %s',
    async (path) => {
      for (const method of ['OPTIONS', 'GET']) {
        const response = await fetch(`${bff.url}${path}`, {
          method,
          headers: {
            origin: 'https://evil.example',
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'x-csrf, authorization',
          },
        })
        expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
        expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin')
      }
    },
  )
})

describe('framing and opener', () => {
  test('the page cannot be framed, runs no inline script and talks to its own origin', async () => {
    const { headers } = await fetch(`${bff.url}/`)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toMatch(/script-src[^;]*(unsafe|\*|http)/)
    expect(policy).toContain("connect-src 'self'")
    expect(policy).toContain("base-uri 'none'")
    expect(policy).toContain("object-src 'none'")
    expect(policy).toContain("form-action 'self'")
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-powered-by')).toBeNull()
  })

  test('the handler page runs its own script only, cannot be framed, and leaves its opener alone', async () => {
    const { headers } = await fetch(`${bff.url}/auth/handler?code=x&state=y`)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    )
    expect(headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect((await fetch(`${bff.url}/auth/handler.js`)).headers.get('content-type')).toMatch(/javascript/)
  })

  test('no answer under /auth, redirects and refusals included, cuts the popup off or is kept', async () => {
    const start = await createFlowBrowser(bff).authorize()
    const answers = [
      start.response,
      await fetch(`${bff.url}/auth/callback?state=x`, { redirect: 'manual' }),
      await fetch(`${bff.url}/auth/authorize`),
      await fetch(`${bff.url}/auth/session`),
      await fetch(`${bff.url}/auth/nothing`),
      await post('/auth/sign-up', {}),
    ]
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 400, 200, 404, 403])
    for (const { headers, url } of answers) {
      expect(headers.get('cross-origin-opener-policy'), url).toBe('unsafe-none')
      expect(headers.get('cache-control'), url).toBe('no-store')
    }
  })

  test('over https browsers are told to stay there', async () => {
    const secure = await startBff({ PUBLIC_ORIGIN: 'https://app.parley.test' })
    const { headers } = await fetch(`${secure.url}/`)
    expect(headers.get('strict-transport-security')).toMatch(/max-age=\d{8}/)
    expect(headers.get('content-security-policy')).toContain('upgrade-insecure-requests')
    await secure.stop()
  })
})

const raw = (path: string, headers: Record<string, string> = {}) => rawRequest(bff.url, { path, headers })

test.each([
  '//evil.example',
  '//evil.example/%2f..',
  '/\\evil.example',
  '/%5cevil.example',
  '/%2f%2fevil.example',
  '/%09/evil.example',
  '/%0d%0aLocation:%20https://evil.example',
  '/..//evil.example',
  '/.evil.example',
  '/@evil.example',
  '/assets//evil.example/..',
  '/auth//evil.example',
  '/auth/handler/..%2f..%2f%2fevil.example',
  '/auth/callback?redirect_uri=https://evil.example&state=x',
  '/auth/callback?state=x&returnTo=//evil.example',
  '/login?next=https://evil.example',
  'http://evil.example/auth/callback?state=x',
  'http://evil.example/',
])('%s never leads to another origin', async (path) => {
  const { status, location } = await raw(path, { host: 'localhost', 'sec-fetch-site': 'same-origin' })
  expect(status).toBeLessThan(500)
  if (location !== undefined) expect(location).toMatch(/^\/auth\/handler\?/)
})

describe('a spoofed Host changes nothing:', () => {
  const spoofed = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-port': '1',
    'x-original-url': '/healthz',
    'x-rewrite-url': '/healthz',
    forwarded: 'host=evil.example;proto=https',
  }

  test('redirects and bodies', async () => {
    const sameOriginHeaders = { 'sec-fetch-site': 'same-origin' }
    const start = new URL((await createFlowBrowser(bff).authorize()).url)
    const { status, location } = await raw(start.pathname + start.search, { ...spoofed, ...sameOriginHeaders })
    expect(status).toBe(303)
    expect(location).toContain(encodeURIComponent(`${bff.config.PUBLIC_ORIGIN}/auth/callback`))
    expect(location?.startsWith(inject('stack').urls.identity)).toBe(true)
    for (const path of ['/', '/auth/callback?state=x', '/auth/handler', '/v1/projects', '/auth/session', '/api/x']) {
      const answer = await raw(path, spoofed)
      expect(`${answer.location}${answer.body}`, path).not.toContain('evil.example')
    }
  })

  test('the links of mails', async () => {
    const email = newAddress()
    const headers = { 'x-forwarded-host': 'evil.example', 'sec-fetch-site': 'same-origin', 'x-csrf': '1', ...json }
    expect((await post('/auth/sign-up', headers, JSON.stringify({ email, password }))).status).toBe(201)
    expect(await linkFrom(email, 'Verify email')).toMatch(new RegExp(`^${inject('stack').urls.identity}`))
  })

  test('a forged Host makes no call same-origin', async () => {
    const headers = { ...json, 'x-csrf': '1', origin: 'http://evil.example', 'x-forwarded-host': 'evil.example' }
    expect((await post('/auth/sign-out', headers)).status).toBe(403)
  })
})
