import { authApi } from '@parley/contracts/account/auth-endpoints'
import { profileApi } from '@parley/contracts/account/profile'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headerText, nasty } from '../hostile-text.ts'
import { newAddress } from '../mailbox.ts'
import { type RawAnswer, rawRequest } from '../raw-request.ts'
import { type Bff, startBff } from '../start-bff.ts'

let bff: Bff
let live: string
beforeAll(async () => {
  bff = await startBff()
  const browser = bff.browser()
  await browser.signUp(newAddress(), 'correct horse')
  live = browser.cookie()
})
afterAll(() => bff.stop())

const raw = (method: string, path: string, headers: Record<string, string> = {}, body = '') =>
  rawRequest(bff.url, { method, path, headers, body })

const sameOriginHeaders = { 'sec-fetch-site': 'same-origin', 'x-csrf': '1' }
const runs = { numRuns: 150 }
/** One path segment, percent-encoded or deliberately badly so. */
const segment = fc.oneof(
  nasty.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom(
    '%',
    '%ff',
    '%zz',
    '%2f',
    '%5c',
    '..',
    '.',
    ';',
    '%252e',
    '%E0%A4%A',
    '~',
    '*',
    ':id',
    '@evil.example',
  ),
)

const neverFails = ({ status, location }: RawAnswer) => {
  expect(status).toBeGreaterThanOrEqual(200)
  expect(status).toBeLessThan(500)
  if (location !== undefined) expect(new URL(location, 'http://own.example').origin).toBe('http://own.example')
}

describe('never a fault, never another origin:', () => {
  test('any cookie', async () => {
    const name = bff.dependencies.cookie.name
    const cookies = fc.oneof(
      headerText,
      fc
        .array(fc.tuple(fc.constantFrom(name, `tx-${name.slice(4)}-abcdefgh`, name.toUpperCase(), 'x'), headerText))
        .map((pairs) => pairs.map((pair) => pair.join('=')).join('; ')),
    )
    await fc.assert(
      fc.asyncProperty(
        cookies,
        fc.constantFrom('/api/auth/user', '/auth/session', '/auth/callback?state=x'),
        async (cookie, path) => {
          const answer = await raw('GET', path, { ...sameOriginHeaders, cookie })
          neverFails(answer)
          if (path === '/api/auth/user') expect(answer.status).toBe(401)
          for (const line of answer.cookies)
            expect(line).toMatch(/^[^=;]+=; Max-Age=0; Path=\/; HttpOnly; SameSite=(Strict|Lax)$/)
        },
      ),
      runs,
    )
  })

  test('any query of the callback', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('state', 'code', 'error', 'iss', 'x'), nasty)),
        async (pairs) => {
          const answer = await raw('GET', `/auth/callback?${new URLSearchParams(pairs)}`)
          neverFails(answer)
          expect(answer.location).toMatch(/^\/auth\/handler\?error=invalid_auth_event/)
        },
      ),
      runs,
    )
  })

  test('any Bearer', async () => {
    const tokens = fc.oneof(
      headerText,
      headerText.map((text) => `Bearer ${text}`),
      fc.tuple(fc.json(), fc.json(), fc.base64String()).map(([header, payload, signature]) => {
        const part = (text: string) => Buffer.from(text).toString('base64url')
        return `Bearer ${part(header)}.${part(payload)}.${signature.replaceAll(/[+/=]/g, '')}`
      }),
    )
    await fc.assert(
      fc.asyncProperty(tokens, async (authorization) => {
        const { status } = await raw('POST', '/auth/token-sync', {
          ...sameOriginHeaders,
          cookie: live,
          authorization,
          'content-length': '0',
        })
        expect(status).toBe(401)
      }),
      runs,
    )
  })

  test('any form at the token endpoint', async () => {
    const names = [
      'grant_type',
      'client_id',
      'username',
      'code',
      'code_verifier',
      'redirect_uri',
      'scope',
      '__proto__',
      'a[b]',
    ]
    const forms = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc
        .array(
          fc.tuple(
            fc.constantFrom(...names),
            fc.oneof(nasty, fc.constantFrom('password', 'authorization_code', 'refresh_token', 'spa')),
          ),
        )
        .map((pairs) => String(new URLSearchParams(pairs))),
    )
    const types = fc.constantFrom(
      'application/x-www-form-urlencoded',
      'application/x-www-form-urlencoded; charset=utf-9',
      'application/json',
      'text/plain',
      'x',
    )
    await fc.assert(
      fc.asyncProperty(
        forms,
        types,
        fc.constantFrom('identity', 'gzip', 'br', 'zstd-9'),
        async (form, type, encoding) => {
          const headers = { ...sameOriginHeaders, 'content-type': type, 'content-encoding': encoding, cookie: live }
          const answer = await raw('POST', '/auth/token', headers, form)
          neverFails(answer)
          expect(answer.status).toBeGreaterThanOrEqual(400)
          expect(answer.cookies).toEqual([])
        },
      ),
      runs,
    )
  })

  test('any JSON body of a public call', async () => {
    const bodies = fc.oneof(
      fc.json(),
      fc.string({ unit: 'binary', maxLength: 100 }),
      fc
        .record({ email: fc.oneof(nasty, fc.jsonValue()), password: fc.oneof(nasty, fc.jsonValue()) })
        .map((value) => JSON.stringify(value)),
    )
    await fc.assert(
      fc.asyncProperty(bodies, fc.constantFrom(authApi.signUp.path, authApi.passwordReset.path), async (body, path) => {
        const answer = await raw('POST', path, { ...sameOriginHeaders, 'content-type': 'application/json' }, body)
        neverFails(answer)
        expect(answer.status).toBe(400)
      }),
      runs,
    )
  })

  test('any path, signed in or not', async () => {
    const roots = [
      '',
      '/auth',
      '/auth/sessions',
      '/auth/handler',
      '/auth/callback',
      '/api',
      '/api/auth',
      '/api/auth/user',
      '/v1',
      '/assets',
      ...Object.values({ ...authApi, ...profileApi }).map(({ path }) => path),
    ]
    const paths = fc
      .tuple(fc.constantFrom(...roots), fc.array(segment, { maxLength: 3 }))
      .map(([root, parts]) => `${root}/${parts.join('/')}`)
    await fc.assert(
      fc.asyncProperty(
        paths,
        fc.constantFrom('GET', 'DELETE', 'HEAD'),
        fc.boolean(),
        async (path, method, signedIn) => {
          const answer = await raw(method, path, { ...sameOriginHeaders, ...(signedIn && { cookie: live }) })
          neverFails(answer)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('any method', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'PURGE', 'SEARCH', 'LINK', 'REPORT', 'M-SEARCH', 'QUERY'])
      for (const path of ['/', '/auth/session', '/auth/token', '/api/auth/user', '/nothing']) {
        const { status } = await raw(method, path, { cookie: live, 'content-length': '0' })
        expect([400, 403, 404, 405], `${method} ${path}`).toContain(status)
      }
  })
})
