import { SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { issuedSession } from '../issued-session.ts'
import { newAddress } from '../mailbox.ts'
import { forThisTest } from '../running.ts'
import { type Bff, startBff } from '../start-bff.ts'
import { newKey, seconds, startTestIssuer, type TestIssuer } from '../test-issuer.ts'

let issuer: TestIssuer
let bff: Bff
beforeAll(async () => {
  issuer = await startTestIssuer()
  bff = await startBff({ OIDC_ISSUER: issuer.issuer })
})
afterAll(() => Promise.all([bff.stop(), issuer.stop()]))

type Claims = Record<string, unknown>
const json = { 'content-type': 'application/json' }
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const bytes = (text: string) => new TextEncoder().encode(text)

/** Calls with a Bearer, one of each kind. */
const bearerCalls = [
  { method: 'POST', path: '/api/auth/sync' },
  { method: 'PATCH', path: '/api/auth/profile', body: '{"firstName":"Eve"}' },
  { method: 'POST', path: '/auth/token-sync' },
]

/** Tokens for the very person and session that asks, each wrong in one way. */
const wrong: [string, (claims: Claims) => Promise<string> | string][] = [
  ['alg none', (claims) => new UnsecuredJWT(claims).encode()],
  ['alg None with the old signature', (claims) => `${encode({ alg: 'None' })}.${encode(claims)}.c2ln`],
  [
    'alg none under the real header’s kid and a signature',
    async (claims) =>
      `${encode({ alg: 'none', kid: issuer.key().kid })}.${encode(claims)}.${(await issuer.sign(claims)).split('.')[2]}`,
  ],
  [
    'HS256 with the public key (PEM) as its secret',
    (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: issuer.key().kid }).sign(bytes(issuer.key().pem)),
  ],
  [
    'HS256 with the public key (JWK) as its secret',
    (claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: issuer.key().kid })
        .sign(bytes(JSON.stringify(issuer.key().jwk))),
  ],
  [
    'a tampered payload',
    async (claims) => {
      const [header, , signature] = (await issuer.sign(claims)).split('.')
      return `${header}.${encode({ ...claims, exp: seconds(9999) })}.${signature}`
    },
  ],
  ['an unknown kid', async (claims) => issuer.sign(claims, { kid: 'nobody' }, (await newKey()).privateKey)],
  ['a foreign key under the real kid', async (claims) => issuer.sign(claims, {}, (await newKey()).privateKey)],
  [
    'its own key in the header',
    async (claims) => {
      const key = await newKey()
      return issuer.sign(claims, { kid: key.kid, jwk: key.jwk }, key.privateKey)
    },
  ],
  [
    'a key set of its own in the header',
    async (claims) => {
      const key = await newKey()
      return issuer.sign(claims, { kid: key.kid, jku: 'http://127.0.0.1:9/jwks' }, key.privateKey)
    },
  ],
  ['an end in the past', (claims) => issuer.sign({ ...claims, exp: seconds(-30) })],
  ['no end', (claims) => issuer.sign({ ...claims, exp: undefined })],
  ['an issue in the future', (claims) => issuer.sign({ ...claims, iat: seconds(120) })],
  ['a beginning in the future', (claims) => issuer.sign({ ...claims, nbf: seconds(120) })],
  ['another issuer', (claims) => issuer.sign({ ...claims, iss: `${issuer.issuer}x` })],
  ['no issuer', (claims) => issuer.sign({ ...claims, iss: undefined })],
  ['another audience', (claims) => issuer.sign({ ...claims, aud: 'account', azp: undefined })],
  ['no audience', (claims) => issuer.sign({ ...claims, aud: undefined })],
  ['another authorized party', (claims) => issuer.sign({ ...claims, azp: 'other-client' })],
  [
    'several audiences and no authorized party',
    (claims) => issuer.sign({ ...claims, aud: ['bff-password', 'x'], azp: undefined }),
  ],
  ['no subject', (claims) => issuer.sign({ ...claims, sub: undefined })],
  ['another session of the same account', (claims) => issuer.sign({ ...claims, sid: 'another' })],
  ['no session at all', (claims) => issuer.sign({ ...claims, sid: undefined })],
  ['the type of an access token', (claims) => issuer.sign({ ...claims, typ: 'Bearer' })],
  ['the type of a refresh token', (claims) => issuer.sign({ ...claims, typ: 'Refresh' })],
  ['the type of a logout token', (claims) => issuer.sign({ ...claims, typ: 'Logout' })],
  [
    'the header of an access token (RFC 9068)',
    (claims) => issuer.sign({ ...claims, typ: undefined }, { typ: 'at+jwt' }),
  ],
  [
    'the header of a logout token',
    (claims) => issuer.logoutToken({ ...claims, typ: undefined, events: undefined, jti: 'x' }),
  ],
  ['the events of a logout token', (claims) => issuer.logoutToken({ ...claims, typ: undefined }, { typ: 'JWT' })],
  ['three empty parts', () => '..'],
  ['no dots', () => 'not-a-token'],
  ['rubbish', () => 'a.b.c'],
  ['seven thousand letters', () => `${'a'.repeat(7000)}.b.c`],
]

test('a call of a page that takes another account to be signed in is 409, and does nothing', async () => {
  const [mine, theirs] = [await issuedSession(bff, issuer), await issuedSession(bff, issuer)]
  const mineElsewhere = await issuedSession(bff, issuer, { sub: mine.idClaims['sub'] })
  const cookieCalls: { method: string; path: string; body?: string }[] = [
    { method: 'GET', path: '/api/auth/user' },
    { method: 'GET', path: '/auth/sessions' },
    { method: 'DELETE', path: '/auth/sessions?others=1' },
  ]
  const bearerHeaders = { ...json, authorization: `Bearer ${mine.idToken}` }
  for (const { method, path, body } of [...cookieCalls, ...bearerCalls]) {
    const headers = { ...bearerHeaders, 'x-auth-subject': String(theirs.idClaims['sub']) }
    const response = await mine.browser.send(method, path, { headers, ...(body && { body }) })
    expect(response.status, path).toBe(409)
    expect(await response.json()).toMatchObject({ code: 'session_changed' })
    expect(response.headers.getSetCookie()).toEqual([])
  }
  const headers = { 'x-auth-subject': String(mine.idClaims['sub']) }
  const user = await mine.browser.send('GET', '/api/auth/user', { headers })
  expect(await user.json()).toMatchObject({ firstName: '' })
  expect((await mineElsewhere.browser.session()).authenticated).toBe(true)
})

describe('as Bearer', () => {
  test.each(wrong)('a token with %s is 401 everywhere and changes nothing', async (_what, forge) => {
    const { browser, idClaims, idToken, session } = await issuedSession(bff, issuer)
    const token = await forge({ ...idClaims, jti: 'forged' })
    for (const { method, path, body } of bearerCalls) {
      const headers = { ...json, authorization: `Bearer ${token}` }
      const response = await browser.send(method, path, { headers, ...(body && { body }) })
      expect(response.status, path).toBe(401)
      expect(await response.json()).toMatchObject({ code: 'token_rejected' })
      expect(response.headers.getSetCookie()).toEqual([])
    }
    expect(await (await browser.send('GET', '/api/auth/user')).json()).toMatchObject({ firstName: '' })
    expect((await bff.dependencies.store.load(session.secret))?.version).toBeDefined()
    expect(
      (await browser.send('POST', '/auth/token-sync', { headers: { authorization: `Bearer ${idToken}` } })).status,
    ).toBe(204)
  })

  test.each([
    ['an earlier one of this session', {}],
    ['one that ended within the clocks’ tolerance', { exp: seconds(-5), iat: seconds(-300) }],
    ['one that a clock slightly ahead has issued', { iat: seconds(5) }],
  ])('a token that is %s is accepted', async (_what, changes) => {
    const { browser, idClaims } = await issuedSession(bff, issuer)
    const again = 'exp' in changes ? { exp: seconds(-5) } : changes
    const token = await issuer.sign({ ...idClaims, jti: 'earlier', ...changes, ...again })
    const response = await browser.send('POST', '/auth/token-sync', { headers: { authorization: `Bearer ${token}` } })
    expect(response.status).toBe(204)
  })

  test('the valid token of another account is 409, so that the page reloads', async () => {
    const [mine, theirs] = [await issuedSession(bff, issuer), await issuedSession(bff, issuer)]
    for (const { method, path, body } of bearerCalls) {
      const headers = { ...json, authorization: `Bearer ${theirs.idToken}` }
      const response = await mine.browser.send(method, path, { headers, ...(body && { body }) })
      expect(response.status, path).toBe(409)
      expect(await response.json()).toMatchObject({ code: 'session_changed' })
    }
  })

  test('the valid token of another session of the same account is 401', async () => {
    const mine = await issuedSession(bff, issuer)
    const elsewhere = await issuedSession(bff, issuer, { sub: mine.idClaims['sub'] })
    const headers = { ...json, authorization: `Bearer ${elsewhere.idToken}` }
    expect((await mine.browser.send('POST', '/api/auth/sync', { headers })).status).toBe(401)
  })

  test.each([
    ['none', {}],
    ['another scheme', { authorization: 'Basic abc' }],
    ['two in one header', { authorization: 'Bearer a.b.c, Bearer a.b.c' }],
    ['an empty one', { authorization: 'Bearer ' }],
  ])('the cookie with %s is 401', async (_what, headers) => {
    const { browser } = await issuedSession(bff, issuer)
    for (const { method, path } of bearerCalls)
      expect((await browser.send(method, path, { headers: { ...json, ...headers } })).status).toBe(401)
  })

  test('a Bearer without the cookie is 401', async () => {
    const { idToken } = await issuedSession(bff, issuer)
    for (const { method, path } of bearerCalls) {
      const headers = { ...json, authorization: `Bearer ${idToken}` }
      expect((await bff.browser().send(method, path, { headers })).status).toBe(401)
    }
  })

  test('an ID token opens nothing at the services themselves', async () => {
    const { idToken } = await issuedSession(bff, issuer)
    const { PROFILE_URL, IDENTITY_URL } = inject('stack').env.bff
    const headers = { ...json, authorization: `Bearer ${idToken}` }
    expect((await fetch(`${PROFILE_URL}/api/auth/user`, { headers })).status).toBe(401)
    const body = JSON.stringify({ email: newAddress() })
    expect((await fetch(`${IDENTITY_URL}/internal/password-resets`, { method: 'POST', headers, body })).status).toBe(
      401,
    )
  })
})

describe('from the provider', () => {
  test.each(wrong.filter(([what]) => !/session|earlier/.test(what)))(
    'an ID token with %s starts no session',
    async (_what, forge) => {
      const token = await forge(issuer.idClaims())
      issuer.answerGrants(() => issuer.tokenSet(token))
      const response = await bff.browser().signIn(newAddress(), 'correct horse')
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.headers.getSetCookie()).toEqual([])
      expect(await response.json()).not.toHaveProperty('id_token')
    },
  )

  test('an ID token that was issued long ago starts no session', async () => {
    const token = await issuer.idToken({ iat: seconds(-120) })
    issuer.answerGrants(() => issuer.tokenSet(token))
    const response = await bff.browser().signIn(newAddress(), 'correct horse')
    expect(response.headers.getSetCookie()).toEqual([])
  })

  test('a renewal that names another person is not taken over', async () => {
    const on = await forThisTest(startBff({ OIDC_ISSUER: issuer.issuer }))
    const { session, idClaims } = await issuedSession(on, issuer)
    issuer.answerGrants(async () => issuer.tokenSet(await issuer.idToken()))
    await expect(on.dependencies.refresh.renewed(session)).rejects.toThrow()
    const live = await on.dependencies.store.load(session.secret)
    expect(live?.hot.claims.sub).toBe(idClaims['sub'])
  })
})
