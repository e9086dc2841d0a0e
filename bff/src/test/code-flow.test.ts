import { errorBodySchema } from '@parley/contracts/errors'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createTraveller } from './flow.ts'
import { newAddress } from './mailbox.ts'
import { type Bff, startBff } from './start-bff.ts'

let bff: Bff
let email: string
const password = 'correct horse'
beforeAll(async () => {
  bff = await startBff()
  email = newAddress('code-flow')
  expect((await bff.browser().signUp(email, password)).status).toBe(201)
})
afterAll(() => bff.stop())

const credentials = () => ({ username: email, password })

async function signedIn() {
  const traveller = createTraveller(bff)
  const start = await traveller.authorize()
  const callback = await traveller.logIn(start, credentials())
  const handler = await traveller.arrive(callback)
  const code = handler.searchParams.get('code') ?? ''
  return { traveller, start, callback, handler, code }
}

test('a sign-in at the provider ends at the handler, and its code gives the page its token once', async () => {
  const { traveller, start, handler, code } = await signedIn()
  expect(handler.pathname).toBe('/auth/handler')
  expect(handler.searchParams.get('state')).toBe(start.state)
  const answer = await traveller.redeem(code, start.verifier)
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ access_token: 'cookie', token_type: 'Bearer' })
  expect(await traveller.session()).toMatchObject({ authenticated: true, claims: { email } })

  const again = await traveller.redeem(code, start.verifier)
  expect(again.status).toBe(400)
  expect(await again.json()).toMatchObject({ error: 'invalid_grant' })
  expect(await traveller.session()).toMatchObject({ authenticated: true })
})

describe('the callback', () => {
  test('without its cookie starts no session', async () => {
    const traveller = createTraveller(bff)
    const callback = await traveller.logIn(await traveller.authorize(), credentials())
    const stranger = createTraveller(bff)
    const handler = await stranger.arrive(callback)
    expect(handler.searchParams.get('error')).toBe('invalid_auth_event')
    expect(await stranger.session()).toEqual({ authenticated: false })
  })

  test('with another transaction’s cookie starts no session', async () => {
    const victim = createTraveller(bff)
    const callback = await victim.logIn(await victim.authorize(), credentials())
    const attacker = createTraveller(bff)
    await attacker.authorize()
    expect((await attacker.arrive(callback)).searchParams.get('error')).toBe('invalid_auth_event')
    expect(await attacker.session()).toEqual({ authenticated: false })
  })

  test.each([
    ['wrong', (url: URL) => url.searchParams.set('state', 'x'.repeat(43))],
    ['missing', (url: URL) => url.searchParams.delete('state')],
    ['doubled', (url: URL) => url.searchParams.append('state', 'second')],
  ])('with a %s state starts no session', async (_what, spoil) => {
    const traveller = createTraveller(bff)
    const callback = await traveller.logIn(await traveller.authorize(), credentials())
    spoil(callback)
    expect((await traveller.arrive(callback)).searchParams.get('error')).toBe('invalid_auth_event')
    expect(await traveller.session()).toEqual({ authenticated: false })
  })

  test('called twice fails the second time and leaves the session of the first', async () => {
    const { traveller, callback } = await signedIn()
    expect((await traveller.arrive(callback)).searchParams.get('error')).toBe('invalid_auth_event')
    expect(await traveller.session()).toMatchObject({ authenticated: true })
  })

  test('naming another issuer starts no session', async () => {
    const traveller = createTraveller(bff)
    const callback = await traveller.logIn(await traveller.authorize(), credentials())
    callback.searchParams.set('iss', 'https://evil.example/realms/parley')
    const handler = await traveller.arrive(callback)
    expect(handler.searchParams.get('code')).toBeNull()
    expect(handler.searchParams.get('error')).toMatch(/server_error|temporarily_unavailable/)
    expect(await traveller.session()).toEqual({ authenticated: false })
  })

  test('with a code of another sign-in starts no session: PKCE and nonce differ', async () => {
    const one = createTraveller(bff)
    const other = createTraveller(bff)
    const mine = await one.logIn(await one.authorize(), credentials())
    const theirs = await other.logIn(await other.authorize(), credentials())
    mine.searchParams.set('code', theirs.searchParams.get('code') ?? '')
    expect((await one.arrive(mine)).searchParams.get('error')).not.toBeNull()
    expect(await one.session()).toEqual({ authenticated: false })
  })

  test('replaces the browser’s earlier session', async () => {
    const traveller = createTraveller(bff)
    const first = await traveller.logIn(await traveller.authorize(), credentials())
    await traveller.arrive(first)
    const before = new Map(traveller.appCookies())
    const second = await traveller.logIn(await traveller.authorize(), credentials())
    await traveller.arrive(second)
    const old = bff.browser()
    old.setCookie(`${bff.dependencies.cookie.name}=${before.get(bff.dependencies.cookie.name)}`)
    expect(await old.session()).toEqual({ authenticated: false })
    expect(await traveller.session()).toMatchObject({ authenticated: true })
  })
})

describe('the façade’s code', () => {
  test('is good for the session it was made for only', async () => {
    const { start, code } = await signedIn()
    const other = await signedIn()
    const answer = await other.traveller.redeem(code, start.verifier)
    expect(answer.status).toBe(400)
  })

  test.each([
    ['another verifier', { code_verifier: 'v'.repeat(43) }],
    ['another redirect URI', { redirect_uri: 'http://localhost/elsewhere' }],
    ['another client', { client_id: 'other' }],
  ])('is refused with %s, and spent', async (_what, overrides) => {
    const { traveller, start, code } = await signedIn()
    expect((await traveller.redeem(code, start.verifier, overrides)).status).toBe(400)
    const spent = 'client_id' in overrides ? 200 : 400
    expect((await traveller.redeem(code, start.verifier)).status).toBe(spent)
  })

  test('is refused without the session', async () => {
    const { start, code } = await signedIn()
    expect((await createTraveller(bff).redeem(code, start.verifier)).status).toBe(400)
  })

  test('does not live longer than a minute', async () => {
    const { code } = await signedIn()
    const { redis } = bff.dependencies
    const keys = await redis.keys('code:*')
    const lives = await Promise.all(keys.map((key) => redis.ttl(key)))
    expect(Math.max(...lives)).toBeLessThanOrEqual(60)
    expect(keys.join()).not.toContain(code)
  })
})

describe('the authorization endpoint', () => {
  test.each([
    ['another origin', 'https://evil.example/auth/handler'],
    ['a look-alike', 'http://localhost.evil.example/auth/handler'],
    ['another path', 'ORIGIN/auth/handler/x'],
    ['a query', 'ORIGIN/auth/handler?x=1'],
    ['a fragment', 'ORIGIN/auth/handler#x'],
    ['user info', 'http://localhost@evil.example/auth/handler'],
    ['a protocol-relative one', '//evil.example/auth/handler'],
    ['a backslash', 'ORIGIN\\@evil.example'],
    ['a script', 'javascript:alert(1)'],
    ['a tab', 'ORIGIN/auth/han\tdler'],
  ])('never redirects to a redirect URI that is %s', async (_what, template) => {
    const traveller = createTraveller(bff)
    const { response } = await traveller.authorize({
      redirect_uri: template.replace('ORIGIN', bff.config.PUBLIC_ORIGIN),
    })
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
    expect(response.headers.getSetCookie()).toEqual([])
    expect(errorBodySchema.parse(await response.json()).code).toBe('invalid_redirect')
  })

  test.each([
    ['another client', { client_id: 'other' }],
    ['no PKCE', { code_challenge: '' }],
    ['plain PKCE', { code_challenge_method: 'plain' }],
    ['the implicit flow', { response_type: 'token' }],
    ['an unknown provider', { provider: 'evil' }],
    ['no state', { state: '' }],
  ])('refuses %s on the spot', async (_what, params) => {
    const { response } = await createTraveller(bff).authorize(params)
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
  })

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
  ])('cannot be entered from %s', async (_what, headers) => {
    const { response } = await createTraveller(bff).authorize({}, headers)
    expect(response.status).toBe(400)
  })

  test('sends the browser to the provider with PKCE, state and nonce, whatever Host says', async () => {
    const { response } = await createTraveller(bff).authorize(
      { provider: 'google' },
      { 'x-forwarded-host': 'evil.example' },
    )
    expect(response.status).toBe(303)
    const url = new URL(response.headers.get('location') ?? '')
    expect(url.href).toMatch(new RegExp(`^${inject('stack').urls.identity}/protocol/openid-connect/auth`))
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'bff-web',
      redirect_uri: `${bff.config.PUBLIC_ORIGIN}/auth/callback`,
      code_challenge_method: 'S256',
      kc_idp_hint: 'google',
      nonce: expect.any(String),
      state: expect.any(String),
    })
  })

  test('keeps at most five sign-ins under way, and two tabs do not disturb each other', async () => {
    const traveller = createTraveller(bff)
    const first = await traveller.authorize()
    const second = await traveller.authorize()
    const callbacks = [await traveller.logIn(first, credentials()), await traveller.logIn(second, credentials())]
    for (const callback of callbacks) expect((await traveller.arrive(callback)).searchParams.get('code')).not.toBeNull()
    for (let started = 0; started < 8; started++) await traveller.authorize()
    const names = [...traveller.appCookies().keys()].filter((name) => name.startsWith('tx-'))
    expect(names).toHaveLength(5)
  })

  test('a domain that is not authorized gets no further', async () => {
    const elsewhere = await startBff({ AUTHORIZED_DOMAINS: 'example.com' })
    const { response } = await createTraveller(elsewhere).authorize()
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toMatch(/^\/auth\/handler\?error=unauthorized_domain/)
    await elsewhere.stop()
  })
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

describe('where an account is signed in', () => {
  test('lists each session with device and time, and marks the current one', async () => {
    const address = newAddress()
    const here = bff.browser()
    await here.signUp(address, password)
    const there = bff.browser()
    await there.send('POST', '/auth/token', {
      body: new URLSearchParams({ grant_type: 'password', client_id: 'spa', username: address, password }),
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    })
    const { sessions } = (await (await here.send('GET', '/auth/sessions')).json()) as {
      sessions: { id: string; device: string; current: boolean }[]
    }
    expect(sessions).toHaveLength(2)
    expect(sessions.filter(({ current }) => current)).toHaveLength(1)
    expect(sessions.find(({ current }) => !current)?.device).toBe('Firefox on Linux')

    const other = sessions.find(({ current }) => !current)
    expect((await here.send('DELETE', `/auth/sessions/${other?.id}`)).status).toBe(204)
    expect(await there.session()).toEqual({ authenticated: false })
    expect(await here.session()).toMatchObject({ authenticated: true })
    expect((await here.send('DELETE', `/auth/sessions/${other?.id}`)).status).toBe(404)
  })

  test('ending all others leaves this one; another account’s sessions cannot be named', async () => {
    const address = newAddress()
    const here = bff.browser()
    await here.signUp(address, password)
    const others = [bff.browser(), bff.browser()]
    for (const other of others) await other.signIn(address, password)
    const stranger = bff.browser()
    await stranger.signUp(newAddress(), password)
    const listed = (await (await here.send('GET', '/auth/sessions')).json()) as { sessions: { id: string }[] }
    expect((await stranger.send('DELETE', `/auth/sessions/${listed.sessions[0]?.id}`)).status).toBe(404)
    expect((await here.send('DELETE', '/auth/sessions?others=1')).status).toBe(204)
    for (const other of others) expect(await other.session()).toEqual({ authenticated: false })
    expect(await here.session()).toMatchObject({ authenticated: true })
    expect((await here.send('DELETE', '/auth/sessions')).status).toBe(400)
  })
})

test('the project of the page names its domains, and a key with a colon is refused', async () => {
  const good = await fetch(`${bff.url}/v1/projects?key=abc`)
  expect(await good.json()).toEqual({ projectId: 'parley', authorizedDomains: ['localhost'] })
  const bad = await fetch(`${bff.url}/v1/projects?key=a:b`)
  expect(bad.status).toBe(400)
  expect(await bad.json()).toMatchObject({ code: 'invalid_api_key' })
})

test('token sync takes the session’s own token, and its end ends the session', async () => {
  const browser = bff.browser()
  await browser.signUp(newAddress(), password)
  expect((await browser.send('POST', '/auth/token-sync')).status).toBe(401)
  expect((await browser.send('POST', '/auth/token-sync', { headers: await browser.bearer() })).status).toBe(204)
  expect((await browser.send('DELETE', '/auth/token-sync')).status).toBe(204)
  expect(await browser.session()).toEqual({ authenticated: false })
})
