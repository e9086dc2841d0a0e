import { errorBodySchema } from '@parley/contracts/errors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Bff, startBff } from './start-bff.ts'

let bff: Bff
beforeAll(async () => {
  bff = await startBff()
})
afterAll(() => bff.stop())

const json = { 'content-type': 'application/json' }
const post = (path: string, headers: Record<string, string>, body = '{}') =>
  fetch(`${bff.url}${path}`, { method: 'POST', body, headers })

describe('a call from elsewhere is refused', () => {
  const marked = { ...json, 'x-csrf': '1' }
  test.each([
    ['cross-site', { ...marked, 'sec-fetch-site': 'cross-site' }],
    ['a sibling subdomain', { ...marked, 'sec-fetch-site': 'same-site' }],
    ['Origin: null', { ...marked, origin: 'null' }],
    ['another origin', { ...marked, origin: 'https://evil.example' }],
    ['no origin at all', marked],
    ['no custom header', { ...json, 'sec-fetch-site': 'same-origin' }],
    ['a plain form', { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }],
  ])('%s', async (_what, headers) => {
    for (const path of ['/auth/sign-up', '/auth/sign-out', '/auth/password-reset', '/auth/reload']) {
      const response = await post(path, headers)
      expect(response.status, path).toBe(403)
      expect(errorBodySchema.parse(await response.json()).code).toBe('csrf_rejected')
    }
    const token = await post('/auth/token', headers, 'grant_type=password')
    expect(token.status).toBe(403)
    expect(await token.json()).toMatchObject({ error: 'invalid_request', error_description: expect.any(String) })
  })

  test('no preflight is ever allowed', async () => {
    const response = await fetch(`${bff.url}/auth/sign-up`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    })
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('bad input gets a stable code and a sentence', () => {
  const own = { 'sec-fetch-site': 'same-origin', 'x-csrf': '1' }
  test.each([
    ['malformed JSON', '/auth/sign-up', json, '{"email":', 400, 'malformed_json'],
    ['no JSON at all', '/auth/sign-up', { 'content-type': 'text/plain' }, 'hello', 415, 'unsupported_media_type'],
    [
      'a body over its limit',
      '/auth/sign-up',
      json,
      JSON.stringify({ email: 'x'.repeat(20_000) }),
      413,
      'body_too_large',
    ],
    ['a list for an object', '/auth/sign-up', json, '[1]', 400, 'validation_failed'],
    ['a text for an object', '/auth/password-reset', json, '"x"', 400, 'validation_failed'],
    ['an unknown path', '/auth/nothing', json, '{}', 404, 'not_found'],
    ['a wrong method', '/auth/session', json, '{}', 405, 'method_not_allowed'],
    ['an empty logout token', '/auth/backchannel-logout', json, '{}', 400, 'invalid_logout_token'],
  ])('%s', async (_what, path, headers, body, status, code) => {
    const response = await post(path, { ...own, ...headers }, body)
    expect(response.status).toBe(status)
    const error = errorBodySchema.parse(await response.json())
    expect(error.code).toBe(code)
    expect(error.message).toMatch(/[a-z]{3}.*/i)
    expect(JSON.stringify(error)).not.toMatch(/node_modules|\.ts:|\n +at /)
  })

  test.each([
    ['', 400, 'unsupported_grant_type'],
    ['grant_type=password&client_id=other&username=a@b.example&password=123456', 401, 'invalid_client'],
    ['grant_type=password&client_id=spa&username=nope&password=123456', 400, 'invalid_grant'],
    ['grant_type=password&client_id=spa&username=a@b.example', 400, 'invalid_grant'],
    ['grant_type=password&grant_type=password&client_id=spa', 400, 'invalid_request'],
    [`grant_type=password&client_id=spa&password=${'x'.repeat(20_000)}`, 413, 'invalid_request'],
  ])('the token endpoint answers %.60s in its own words', async (form, status, error) => {
    const headers = { ...own, 'content-type': 'application/x-www-form-urlencoded' }
    const response = await post('/auth/token', headers, form)
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({ error, error_description: expect.any(String) })
  })

  test('headers over the limit are 431 in the same envelope', async () => {
    const response = await fetch(`${bff.url}/healthz`, { headers: { 'x-long': 'x'.repeat(20_000) } })
    expect(response.status).toBe(431)
    expect(errorBodySchema.parse(await response.json()).code).toBe('headers_too_large')
  })
})

describe('headers', () => {
  test('the page cannot be framed, runs no inline script and talks to its own origin', async () => {
    const { headers } = await fetch(`${bff.url}/`)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toMatch(/script-src[^;]*unsafe/)
    expect(policy).toContain("connect-src 'self'")
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-powered-by')).toBeNull()
  })

  test('answers under /auth never cut the popup off and are never kept', async () => {
    const { headers } = await fetch(`${bff.url}/auth/session`)
    expect(headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('hashed files are kept for ever, the page is asked for each time', async () => {
    const asset = await fetch(`${bff.url}/assets/app-1a2b3c.js`)
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    for (const path of ['/', '/dashboard', '/no/such/page']) {
      const page = await fetch(`${bff.url}${path}`)
      expect(page.status).toBe(200)
      expect(page.headers.get('cache-control')).toBe('no-cache')
      expect(await page.text()).toContain('<title>Parley</title>')
    }
    expect((await fetch(`${bff.url}/assets/gone-000000.js`)).status).toBe(404)
  })
})

test('readiness names each part', async () => {
  const response = await fetch(`${bff.url}/readyz`)
  expect(await response.json()).toEqual({
    status: 'ready',
    parts: { redis: { ok: true }, 'identity-provider': { ok: true }, profile: { ok: true }, identity: { ok: true } },
  })
  expect(response.status).toBe(200)
})
