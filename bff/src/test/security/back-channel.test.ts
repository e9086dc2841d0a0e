import { randomUUID } from 'node:crypto'
import { UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { browserOf, issuedSession } from '../issued-session.ts'
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

const path = '/auth/backchannel-logout'
/** Sends a logout token as the provider does: no cookie, no origin, no header of ours. */
const logOut = (token: string, on: Bff = bff) =>
  fetch(`${on.url}${path}`, { method: 'POST', body: new URLSearchParams({ logout_token: token }) })

type Claims = Record<string, unknown>
const target = ({ idClaims }: { idClaims: Claims }) => ({ sub: idClaims['sub'], sid: idClaims['sid'] })

describe('a valid logout', () => {
  test('by session ends that session on every instance, and no other of the account', async () => {
    const replica = await forThisTest(startBff({ OIDC_ISSUER: issuer.issuer }))
    const mine = await issuedSession(bff, issuer)
    const other = await issuedSession(bff, issuer, { sub: mine.idClaims['sub'] })
    const response = await logOut(await issuer.logoutToken({ sid: mine.idClaims['sid'] }))
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    for (const on of [bff, replica]) {
      const browser = browserOf(on, mine.session.secret)
      expect((await browser.send('GET', '/api/auth/user')).status).toBe(401)
      expect(await browser.session()).toEqual({ authenticated: false })
    }
    expect(await other.browser.session()).toMatchObject({ authenticated: true })
  })

  test('by account ends all its sessions, and none of another account', async () => {
    const mine = await issuedSession(bff, issuer)
    const second = await issuedSession(bff, issuer, { sub: mine.idClaims['sub'] })
    const stranger = await issuedSession(bff, issuer)
    expect((await logOut(await issuer.logoutToken({ sub: mine.idClaims['sub'] }))).status).toBe(200)
    for (const { browser } of [mine, second]) expect(await browser.session()).toEqual({ authenticated: false })
    expect(await stranger.browser.session()).toMatchObject({ authenticated: true })
  })

  test('of a session that is not there is 200 too', async () => {
    expect((await logOut(await issuer.logoutToken({ sid: randomUUID() }))).status).toBe(200)
  })

  test('does not stand in the way of the next sign-in, also under the same session of the provider', async () => {
    const { idClaims } = await issuedSession(bff, issuer, { iat: seconds(-2) })
    const token = await issuer.logoutToken(target({ idClaims }))
    await logOut(token)
    const again = await issuedSession(bff, issuer, { ...idClaims, iat: seconds(1) })
    expect(await again.browser.session()).toMatchObject({ authenticated: true })
  })

  test('that comes late ends who was signed in then, and nobody who has signed in since', async () => {
    const before = await issuedSession(bff, issuer, { iat: seconds(-6) })
    const token = await issuer.logoutToken({ ...target(before), iat: seconds(-4) })
    const since = await issuedSession(bff, issuer, { ...before.idClaims, iat: seconds(-2) })
    expect((await logOut(token)).status).toBe(200)
    expect(await before.browser.session()).toEqual({ authenticated: false })
    expect(await since.browser.session()).toMatchObject({ authenticated: true })
    const meanwhile = await issuedSession(bff, issuer, { ...before.idClaims, iat: seconds(-2) })
    expect(await meanwhile.browser.session()).toMatchObject({ authenticated: true })
  })

  test('that is replayed is 200 and ends nothing more', async () => {
    const { idClaims } = await issuedSession(bff, issuer, { iat: seconds(-2) })
    const token = await issuer.logoutToken(target({ idClaims }))
    await logOut(token)
    const again = await issuedSession(bff, issuer, { ...idClaims, iat: seconds(1) })
    expect((await logOut(token)).status).toBe(200)
    expect(await again.browser.session()).toMatchObject({ authenticated: true })
  })

  test('that failed half-way works when it is sent again', async () => {
    const on = await forThisTest(startBff({ OIDC_ISSUER: issuer.issuer }))
    const mine = await issuedSession(on, issuer)
    const token = await issuer.logoutToken(target(mine))
    vi.spyOn(on.dependencies.redis, 'smembers').mockRejectedValueOnce(new Error('gone'))
    expect((await logOut(token, on)).status).toBe(503)
    expect((await logOut(token, on)).status).toBe(200)
    expect(await mine.browser.session()).toEqual({ authenticated: false })
  })
})

describe('a logout during a sign-in', () => {
  test.each([['sid'], ['sub']])('by %s leaves no session behind, whichever comes first', async (by) => {
    for (let round = 0; round < 20; round++) {
      const claims = { sub: randomUUID(), sid: randomUUID(), iat: seconds(-3) }
      const token = await issuer.logoutToken({ [by]: claims[by as 'sid'] })
      const [starting] = await Promise.allSettled([issuedSession(bff, issuer, claims), logOut(token)])
      if (starting.status === 'fulfilled') {
        expect(await bff.dependencies.store.load(starting.value.session.secret)).toBeUndefined()
      } else {
        expect(starting.reason).toMatchObject({ code: 'session_expired' })
      }
      expect(await bff.dependencies.store.list({ iss: issuer.issuer, sub: claims.sub })).toEqual([])
    }
  })

  test('that comes before the session is stored refuses the sign-in', async () => {
    const claims = { sub: randomUUID(), sid: randomUUID(), iat: seconds(-3) }
    await logOut(await issuer.logoutToken({ sub: claims.sub, sid: claims.sid }))
    await expect(issuedSession(bff, issuer, claims)).rejects.toMatchObject({ code: 'session_expired' })
  })
})

describe('what is no logout token is 400 and ends nothing:', () => {
  const event = 'http://schemas.openid.net/event/backchannel-logout'
  test.each<[string, (claims: Claims) => Promise<string> | string]>([
    ['missing events', (claims) => issuer.logoutToken({ ...claims, events: undefined })],
    ['other events', (claims) => issuer.logoutToken({ ...claims, events: { 'urn:other': {} } })],
    ['an event that is no object', (claims) => issuer.logoutToken({ ...claims, events: { [event]: true } })],
    ['a nonce', (claims) => issuer.logoutToken({ ...claims, nonce: 'n' })],
    ['neither session nor account', () => issuer.logoutToken()],
    ['no id of its own', (claims) => issuer.logoutToken({ ...claims, jti: undefined })],
    ['no time of issue', (claims) => issuer.logoutToken({ ...claims, iat: undefined })],
    ['an old time of issue', (claims) => issuer.logoutToken({ ...claims, iat: seconds(-400), exp: undefined })],
    ['an issue in the future', (claims) => issuer.logoutToken({ ...claims, iat: seconds(120) })],
    ['an end in the past', (claims) => issuer.logoutToken({ ...claims, exp: seconds(-60) })],
    ['the type of an ID token', (claims) => issuer.logoutToken(claims, { typ: 'JWT' })],
    ['an ID token', (claims) => issuer.idToken(claims)],
    ['another audience', (claims) => issuer.logoutToken({ ...claims, aud: 'account' })],
    ['another issuer', (claims) => issuer.logoutToken({ ...claims, iss: 'https://evil.example' })],
    ['alg none', (claims) => new UnsecuredJWT({ ...claims, events: { [event]: {} } }).encode()],
    ['a foreign key', async (claims) => issuer.sign(claims, { typ: 'logout+jwt' }, (await newKey()).privateKey)],
    ['an unknown kid', (claims) => issuer.logoutToken(claims, { kid: 'nobody' })],
    ['rubbish', () => 'a.b.c'],
    ['nothing', () => ''],
    ['a huge one', () => 'a'.repeat(17_000)],
  ])('%s', async (_what, forge) => {
    const mine = await issuedSession(bff, issuer)
    const response = await logOut(await forge(target(mine)))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'invalid_logout_token' })
    expect(await mine.browser.session()).toMatchObject({ authenticated: true })
  })

  test.each([
    ['in the query', async (token: string) => fetch(`${bff.url}${path}?logout_token=${token}`, { method: 'POST' })],
    [
      'as JSON',
      async (token: string) =>
        fetch(`${bff.url}${path}`, {
          method: 'POST',
          body: JSON.stringify({ logout_token: token }),
          headers: { 'content-type': 'application/json' },
        }),
    ],
    [
      'twice in one form',
      async (token: string) =>
        fetch(`${bff.url}${path}`, {
          method: 'POST',
          body: new URLSearchParams([
            ['logout_token', token],
            ['logout_token', token],
          ]),
        }),
    ],
  ])('a valid one %s', async (_where, send) => {
    const mine = await issuedSession(bff, issuer)
    expect((await send(await issuer.logoutToken(target(mine)))).status).toBe(400)
    expect(await mine.browser.session()).toMatchObject({ authenticated: true })
  })

  test('GET is 405, and a form without end is 413', async () => {
    const get = await fetch(`${bff.url}${path}`)
    expect(get.status).toBe(405)
    expect(get.headers.get('allow')).toBe('POST')
    expect((await logOut('a'.repeat(30_000))).status).toBe(413)
  })
})
