import { errorBodySchema } from '@parley/contracts/core/errors'
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

describe('bad input gets a stable code and a sentence', () => {
  const sameOriginHeaders = { 'sec-fetch-site': 'same-origin', 'x-csrf': '1' }
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
    const response = await post(path, { ...sameOriginHeaders, ...headers }, body)
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
    const headers = { ...sameOriginHeaders, 'content-type': 'application/x-www-form-urlencoded' }
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
  const ready = async () => {
    const response = await fetch(`${bff.url}/readyz`)
    const body: unknown = await response.json()
    return { status: response.status, body }
  }
  // A part that is busy for a moment is reported as away.
  await expect.poll(ready).toEqual({
    status: 200,
    body: {
      status: 'ready',
      parts: { redis: { ok: true }, 'identity-provider': { ok: true }, profile: { ok: true }, identity: { ok: true } },
    },
  })
})
