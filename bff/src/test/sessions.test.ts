import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { newAddress } from './mailbox.ts'
import { startProviderGate } from './provider-gate.ts'
import { type Bff, startBff } from './start-bff.ts'

const password = 'correct horse'
const running: { stop(): Promise<void> }[] = []
const started = async <T extends { stop(): Promise<void> }>(what: Promise<T>): Promise<T> => {
  const thing = await what
  running.push(thing)
  return thing
}
let bff: Bff
beforeAll(async () => {
  bff = await started(startBff())
})
afterAll(() => Promise.all(running.map((thing) => thing.stop())))

async function signedUp(on: Bff = bff) {
  const browser = on.browser()
  const email = newAddress()
  expect((await browser.signUp(email, password)).status).toBe(201)
  return { browser, email }
}

describe('the cookie', () => {
  test('is HttpOnly, Strict, for the whole site, and named after the port on plain http', async () => {
    const response = await bff.browser().signUp(newAddress(), password)
    const [line = ''] = response.headers.getSetCookie()
    const port = new URL(bff.config.PUBLIC_ORIGIN).port
    expect(line).toMatch(new RegExp(`^sid-${port}=[\\w-]{43}; Max-Age=604800; Path=/; HttpOnly; SameSite=Strict$`))
  })

  test('on https it is __Host- and Secure', async () => {
    const secure = await started(startBff({ PUBLIC_ORIGIN: 'https://app.parley.test' }))
    const [line = ''] = (await secure.browser().signUp(newAddress(), password)).headers.getSetCookie()
    expect(line).toMatch(/^__Host-sid=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
  })

  test.each([
    ['garbage', 'NAME=%00%ff'],
    ['a well-formed stranger', `NAME=${'A'.repeat(43)}`],
    ['two of them', `NAME=${'A'.repeat(43)}; NAME=${'B'.repeat(43)}`],
    ['one that is huge', `NAME=${'A'.repeat(6000)}`],
    ['an empty one', 'NAME='],
  ])('%s is 401 on a call and signed out for the page', async (_what, template) => {
    const browser = bff.browser()
    browser.setCookie(template.replaceAll('NAME', bff.dependencies.cookie.name))
    const call = await browser.send('GET', '/api/auth/user')
    expect(call.status).toBe(401)
    expect(await call.json()).toMatchObject({ code: 'unauthenticated', message: expect.any(String) })
    expect(await browser.session()).toEqual({ authenticated: false })
  })
})

describe('in Redis', () => {
  test('neither cookies nor tokens nor addresses can be read', async () => {
    const { browser, email } = await signedUp()
    const { authorization } = await browser.bearer()
    const redis = new Redis(inject('stack').env.bff['REDIS_URL'] ?? '')
    const dump: string[] = []
    for await (const keys of redis.scanStream({ match: '*' })) {
      for (const key of keys as string[]) {
        dump.push(key)
        if ((await redis.type(key)) === 'string') dump.push((await redis.get(key)) ?? '')
      }
    }
    redis.disconnect()
    const text = dump.join('\n')
    const secret = browser.cookie().split('=')[1] ?? ''
    expect(text).toContain(createHash('sha256').update('id').update(secret).digest('base64url'))
    for (const readable of [secret, authorization.slice(7), email, password]) expect(text).not.toContain(readable)
  })
})

describe('a session ends', () => {
  test('after its idle time without use, and use keeps it', async () => {
    const idle = await started(startBff({ SESSION_IDLE_SECONDS: '2' }))
    const { browser } = await signedUp(idle)
    const session = await idle.dependencies.store.load(browser.cookie().split('=')[1] ?? '')
    expect(session).toBeDefined()
    if (session) await idle.dependencies.store.touch(session)
    expect(await browser.session()).toMatchObject({ authenticated: true })
    await vi.waitFor(async () => expect(await browser.session()).toEqual({ authenticated: false }), { timeout: 6000 })
  })

  test('at its absolute end, however much it is used', async () => {
    const short = await started(startBff({ SESSION_UNVERIFIED_SECONDS: '2' }))
    const { browser } = await signedUp(short)
    expect((await browser.send('GET', '/api/auth/user')).status).toBe(200)
    await vi.waitFor(async () => expect((await browser.send('GET', '/api/auth/user')).status).toBe(401), {
      timeout: 6000,
      interval: 200,
    })
  })

  test('when the account has more than it may', async () => {
    const few = await started(startBff({ SESSIONS_PER_USER: '2' }))
    const { browser: first, email } = await signedUp(few)
    const second = few.browser()
    const third = few.browser()
    await second.signIn(email, password)
    await third.signIn(email, password)
    expect(await first.session()).toEqual({ authenticated: false })
    expect(await second.session()).toMatchObject({ authenticated: true })
    expect(await third.session()).toMatchObject({ authenticated: true })
  })
})

describe('renewal', () => {
  /** A BFF behind a gate, with a session whose tokens are all but over. */
  async function withEndingToken() {
    const gate = await started(startProviderGate())
    const on = await started(startBff({ OIDC_INTERNAL_ISSUER: gate.url }))
    const { browser } = await signedUp(on)
    const { store } = on.dependencies
    const session = await store.load(browser.cookie().split('=')[1] ?? '')
    if (!session) throw new Error('no session')
    const end = async (inSeconds: number) => {
      const live = await store.load(session.secret)
      if (live) await store.replace(live, { ...live.hot, tokenExpiresAt: Math.floor(Date.now() / 1000) + inSeconds })
    }
    await end(-5)
    gate.grants.length = 0
    return { gate, on, browser, end, session }
  }

  test('fifty parallel calls on an ended token make exactly one refresh, and all succeed', async () => {
    const { gate, on, browser } = await withEndingToken()
    const replica = await started(startBff({ OIDC_INTERNAL_ISSUER: gate.url }))
    const second = replica.browser()
    second.setCookie(browser.cookie())
    const calls = Array.from({ length: 50 }, (_, index) =>
      (index % 2 ? browser : second).send('GET', '/api/auth/user').then(({ status }) => status),
    )
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200]))
    expect(gate.grants).toEqual(['refresh_token'])
    expect(on.log.join('')).not.toContain('"level":"error"')
  })

  test('a page gets a token that lives long enough', async () => {
    const { browser, end } = await withEndingToken()
    await end(80)
    const session = await browser.session()
    expect(session).toMatchObject({ authenticated: true })
    if (session.authenticated) expect(session.expires_in).toBeGreaterThan(90)
  })

  test('while the provider is away a live token goes on, then it is 503, and nobody is signed out', async () => {
    const { gate, browser, end } = await withEndingToken()
    gate.set('cut')
    await end(30)
    expect((await browser.send('GET', '/api/auth/user')).status).toBe(200)
    await end(-5)
    const away = await browser.send('GET', '/api/auth/user')
    expect(away.status).toBe(503)
    expect(away.headers.getSetCookie()).toEqual([])
    expect(await away.json()).toMatchObject({ code: 'identity_provider_unavailable' })
    expect((await browser.send('GET', '/auth/session')).status).toBe(503)
    gate.set('pass')
    expect((await browser.send('GET', '/api/auth/user')).status).toBe(200)
  })

  test.each([
    ['a 500', { status: 500, body: {} }],
    ['a 429', { status: 429, body: { error: 'temporarily_unavailable' } }],
    ['invalid_client', { status: 401, body: { error: 'invalid_client' } }],
  ])('%s from the provider keeps the session', async (_what, answer) => {
    const { gate, browser } = await withEndingToken()
    gate.set(answer)
    expect((await browser.send('GET', '/api/auth/user')).status).toBe(503)
    gate.set('pass')
    expect((await browser.send('GET', '/api/auth/user')).status).toBe(200)
  })

  test('invalid_grant ends it', async () => {
    const { gate, browser } = await withEndingToken()
    gate.set({ status: 400, body: { error: 'invalid_grant', error_description: 'Session not active' } })
    const response = await browser.send('GET', '/api/auth/user')
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 'session_expired' })
    gate.set('pass')
    expect(await browser.session()).toEqual({ authenticated: false })
  })

  test('a sign-out during a refresh stays signed out', async () => {
    const { on, browser, session } = await withEndingToken()
    const renewing = on.dependencies.refresh.renewed(session)
    await browser.send('POST', '/auth/sign-out')
    await renewing.catch(() => undefined)
    const again = on.browser()
    again.setCookie(`${on.dependencies.cookie.name}=${session.secret}`)
    expect(await again.session()).toEqual({ authenticated: false })
  })

  test('a wrong password while the provider is away is 503, never "invalid"', async () => {
    const { gate, on } = await withEndingToken()
    gate.set('cut')
    const response = await on.browser().signIn(newAddress(), password)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ error: 'temporarily_unavailable' })
  })
})

test('while Redis is away calls are 503, the cookie stays, and it recovers by itself', async () => {
  const deaf = await started(startBff({ REDIS_URL: 'redis://127.0.0.1:9' }))
  const { browser } = await signedUp()
  const cut = deaf.browser()
  cut.setCookie(browser.cookie())
  for (const path of ['/api/auth/user', '/auth/session']) {
    const response = await cut.send('GET', path)
    expect(response.status).toBe(503)
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await response.json()).toMatchObject({ code: 'session_store_unavailable' })
  }
  expect((await cut.signIn(newAddress(), password)).status).toBe(503)
  expect((await fetch(`${deaf.url}/readyz`)).status).toBe(503)
  expect((await fetch(`${deaf.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${deaf.url}/`)).status).toBe(200)
})
