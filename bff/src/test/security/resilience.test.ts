import { describe, expect, test, vi } from 'vitest'
import { endingSession } from '../ending-session.ts'
import { browserOf, issuedSession } from '../issued-session.ts'
import { newAddress } from '../mailbox.ts'
import { startRedisGate } from '../redis-gate.ts'
import { forThisTest } from '../running.ts'
import { startBff } from '../start-bff.ts'
import { newKey, startTestIssuer } from '../test-issuer.ts'

const password = 'correct horse'

describe('while the provider is away', () => {
  test('a live token goes on, then it is 503, and nobody is signed out', async () => {
    const { gate, browser, end } = await endingSession()
    gate.set('cut')
    await end(30)
    expect((await browser.send('GET', '/api/auth/user')).status).toBe(200)
    await end(-5)
    const away = await browser.send('GET', '/api/auth/user')
    expect(away.status).toBe(503)
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(away.headers.getSetCookie()).toEqual([])
    expect(await away.json()).toMatchObject({ code: 'identity_provider_unavailable' })
    const page = await browser.send('GET', '/auth/session')
    expect(page.status).toBe(503)
    expect(page.headers.getSetCookie()).toEqual([])
    gate.set('pass')
    expect((await browser.send('GET', '/api/auth/user')).status).toBe(200)
  })

  test('a wrong password is 503, never "invalid"', async () => {
    const { gate, on } = await endingSession()
    gate.set('cut')
    const response = await on.browser().signIn(newAddress(), password)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ error: 'temporarily_unavailable' })
  })

  test.each([
    ['a 500', { status: 500, body: {} }],
    ['a 429', { status: 429, body: { error: 'temporarily_unavailable' } }],
    ['invalid_client', { status: 401, body: { error: 'invalid_client' } }],
    ['a page instead of JSON', { status: 200, body: '<html>' }],
    ['a success without tokens', { status: 200, body: { token_type: 'bearer' } }],
    ['an invalid_grant with a 500', { status: 500, body: { error: 'invalid_grant' } }],
  ])('%s from it keeps the session', async (_what, answer) => {
    const { gate, browser } = await endingSession()
    gate.set(answer)
    expect((await browser.send('GET', '/api/auth/user')).status).toBe(503)
    gate.set('pass')
    expect((await browser.send('GET', '/api/auth/user')).status).toBe(200)
  })

  test('invalid_grant alone ends the session', async () => {
    const { gate, browser } = await endingSession()
    gate.set({ status: 400, body: { error: 'invalid_grant', error_description: 'Session not active' } })
    const response = await browser.send('GET', '/api/auth/user')
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 'session_expired' })
    gate.set('pass')
    expect(await browser.session()).toEqual({ authenticated: false })
  })
})

describe('keys of the provider', () => {
  const withIssuer = async () => {
    const issuer = await forThisTest(startTestIssuer())
    const on = await forThisTest(startBff({ OIDC_ISSUER: issuer.issuer }))
    return { issuer, on }
  }
  const sync = (browser: ReturnType<typeof browserOf>, token: string) =>
    browser.send('POST', '/auth/token-sync', { headers: { authorization: `Bearer ${token}` } })

  test('that are rotated disturb nobody: old sessions, their renewal and new sign-ins', async () => {
    const { issuer, on } = await withIssuer()
    const before = await issuedSession(on, issuer)
    const earlier = await issuer.sign({ ...before.idClaims, jti: 'earlier' })
    await issuer.rotate()
    expect((await sync(before.browser, before.idToken)).status).toBe(204)
    issuer.answerGrants(async () => issuer.tokenSet(await issuer.sign({ ...before.idClaims, jti: 'renewed' })))
    expect(await on.dependencies.refresh.renewed(before.session)).toBeDefined()
    expect((await sync(before.browser, earlier)).status).toBe(204)
    const after = await issuedSession(on, issuer)
    expect((await sync(after.browser, after.idToken)).status).toBe(204)
    expect(on.log.filter((line) => /"level":"(error|warn)"/.test(line))).toEqual([])
  })

  test('are fetched at most once for a flood of tokens with unknown key ids', async () => {
    const { issuer, on } = await withIssuer()
    const { browser, idClaims } = await issuedSession(on, issuer)
    issuer.calls.length = 0
    const { privateKey } = await newKey()
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) =>
        sync(browser, await issuer.sign(idClaims, { kid: `unknown-${index}` }, privateKey)),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    expect(issuer.calls.filter((call) => call === 'certs').length).toBeLessThanOrEqual(1)
  })

  test('that were read once still verify while the provider is away', async () => {
    const { issuer, on } = await withIssuer()
    const { browser, idClaims } = await issuedSession(on, issuer)
    issuer.setAway(true)
    expect((await sync(browser, await issuer.sign({ ...idClaims, jti: 'earlier' }))).status).toBe(204)
  })

  test.each([true, 'failing'] as const)('that could never be read (%s) are 503, not a rejected token', async (how) => {
    const { issuer, on } = await withIssuer()
    const { session, idClaims } = await issuedSession(on, issuer)
    issuer.setAway(how)
    const fresh = await forThisTest(startBff({ OIDC_ISSUER: issuer.issuer }))
    const response = await sync(browserOf(fresh, session.secret), await issuer.sign({ ...idClaims, jti: 'earlier' }))
    expect(response.status).toBe(503)
    expect(response.headers.getSetCookie()).toEqual([])
    const logout = new URLSearchParams({ logout_token: await issuer.logoutToken({ sid: idClaims['sid'] }) })
    expect((await fetch(`${fresh.url}/auth/backchannel-logout`, { method: 'POST', body: logout })).status).toBe(503)
  })
})

test('while Redis is away calls are 503 and the cookie stays; with its return all goes on by itself', async () => {
  const gate = await forThisTest(startRedisGate())
  const on = await forThisTest(startBff({ REDIS_URL: gate.url }))
  const browser = on.browser()
  await browser.signUp(newAddress(), password)
  const { authorization } = await browser.bearer()
  gate.setAway(true)
  for (const [method, path] of [
    ['GET', '/api/auth/user'],
    ['POST', '/api/auth/sync'],
    ['GET', '/auth/session'],
    ['GET', '/auth/sessions'],
    ['POST', '/auth/reload'],
    ['POST', '/auth/sign-out'],
    ['POST', '/auth/token-sync'],
  ] as const) {
    const response = await browser.send(method, path, { headers: { authorization } })
    expect(response.status, path).toBe(503)
    expect(response.headers.getSetCookie(), path).toEqual([])
    expect(await response.json()).toMatchObject({ code: 'session_store_unavailable' })
  }
  const signIn = await on.browser().signIn(newAddress(), password)
  expect(signIn.status).toBe(503)
  expect(signIn.headers.getSetCookie()).toEqual([])
  expect((await fetch(`${on.url}/readyz`)).status).toBe(503)
  expect((await fetch(`${on.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${on.url}/`)).status).toBe(200)
  gate.setAway(false)
  await vi.waitFor(async () => expect((await browser.send('GET', '/api/auth/user')).status).toBe(200), {
    interval: 200,
  })
})
