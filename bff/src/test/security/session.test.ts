import { createHash } from 'node:crypto'
import { authApi } from '@parley/contracts/account/auth-endpoints'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { endingSession } from '../ending-session.ts'
import { browserOf } from '../issued-session.ts'
import { newAddress } from '../mailbox.ts'
import { redisDump } from '../redis-dump.ts'
import { forThisTest } from '../running.ts'
import { type Bff, startBff } from '../start-bff.ts'

const password = 'correct horse'
let bff: Bff
beforeAll(async () => {
  bff = await startBff()
})
afterAll(() => bff.stop())

async function signedUp(on: Bff = bff) {
  const browser = on.browser()
  const email = newAddress()
  const response = await browser.signUp(email, password)
  expect(response.status).toBe(201)
  return { browser, email, response, secret: browser.cookie().split('=')[1] ?? '' }
}

describe('the cookie', () => {
  test('is HttpOnly, Strict, for the whole site, and named after the port on plain http', async () => {
    const [line = ''] = (await signedUp()).response.headers.getSetCookie()
    const port = new URL(bff.config.PUBLIC_ORIGIN).port
    expect(line).toMatch(new RegExp(`^sid-${port}=[\\w-]{43}; Max-Age=604800; Path=/; HttpOnly; SameSite=Strict$`))
  })

  test('on https is __Host- and Secure', async () => {
    const secure = await forThisTest(startBff({ PUBLIC_ORIGIN: 'https://app.parley.test' }))
    const [line = ''] = (await signedUp(secure)).response.headers.getSetCookie()
    expect(line).toMatch(/^__Host-sid=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
  })

  test.each([
    ['garbage', 'NAME=%00%ff'],
    ['a well-formed stranger', `NAME=${'A'.repeat(43)}`],
    ['two of them', `NAME=${'A'.repeat(43)}; NAME=${'B'.repeat(43)}`],
    ['one that is huge', `NAME=${'A'.repeat(6000)}`],
    ['an empty one', 'NAME='],
    ['one in quotes', `NAME="${'A'.repeat(43)}"`],
    ['a list', 'NAME[]=x; NAME[0]=y'],
    ['one with another case', `SID-1=${'A'.repeat(43)}`],
  ])('with %s is 401 on a call and signed out for the page', async (_what, template) => {
    const browser = bff.browser()
    browser.setCookie(template.replaceAll('NAME', bff.dependencies.cookie.name))
    const call = await browser.send('GET', '/api/auth/user')
    expect(call.status).toBe(401)
    expect(await call.json()).toMatchObject({ code: 'unauthenticated', message: expect.any(String) })
    expect(await browser.session()).toEqual({ authenticated: false })
  })

  test('beside a planted second one of the same name is 401, and the session lives on', async () => {
    const { browser, secret } = await signedUp()
    const [sessionCookie, planted] = [browser.cookie(), `${bff.dependencies.cookie.name}=${'A'.repeat(43)}`]
    for (const both of [`${planted}; ${sessionCookie}`, `${sessionCookie}; ${planted}`]) {
      browser.setCookie(both)
      expect((await browser.send('GET', '/api/auth/user')).status).toBe(401)
    }
    expect(await browserOf(bff, secret).session()).toMatchObject({ authenticated: true })
  })

  test('of 100 KB is 431 and never 500', async () => {
    const response = await fetch(`${bff.url}/api/auth/user`, {
      headers: { cookie: `${bff.dependencies.cookie.name}=${'A'.repeat(100_000)}` },
    })
    expect(response.status).toBe(431)
  })

  test('that somebody planted before the sign-in is replaced, and never opens the session', async () => {
    const { email } = await signedUp()
    const planted = 'A'.repeat(43)
    const browser = browserOf(bff, planted)
    const response = await browser.signIn(email.toUpperCase(), password)
    expect(response.status).toBe(200)
    expect(browser.cookie()).toMatch(/^sid-\d+=[\w-]{43}$/)
    expect(browser.cookie()).not.toContain(planted)
    expect(await browserOf(bff, planted).session()).toEqual({ authenticated: false })
  })

  test('is new at each sign-in, and the browser’s earlier session is over', async () => {
    const { browser, email, secret } = await signedUp()
    await browser.signIn(email, password)
    expect(browser.cookie()).not.toContain(secret)
    expect(await browserOf(bff, secret).session()).toEqual({ authenticated: false })
    expect(await browser.session()).toMatchObject({ authenticated: true })
  })

  test('is not set anew by calls, renewals or polls', async () => {
    const { browser, load, on } = await endingSession()
    for (const [method, path] of [
      ['GET', '/api/auth/user'],
      ['GET', '/auth/session'],
      ['POST', '/auth/reload'],
    ] as const)
      expect((await browser.send(method, path)).headers.getSetCookie(), path).toEqual([])
    await on.dependencies.refresh.renewed(await load())
  })
})

test('a dump of Redis holds neither cookies nor tokens nor addresses', async () => {
  const { gate, browser, email, secret } = await endingSession()
  const { authorization } = await browser.bearer()
  expect(gate.tokens.length).toBeGreaterThan(2)
  const text = await redisDump()
  expect(text).toContain(createHash('sha256').update('id').update(secret).digest('base64url'))
  for (const readable of [secret, authorization.slice(7), email, password, ...gate.tokens])
    expect(text).not.toContain(readable)
})

describe('a session ends', () => {
  test('after its idle time: polls do not keep it', async () => {
    const idle = await forThisTest(startBff({ SESSION_IDLE_SECONDS: '2' }))
    const { browser } = await signedUp(idle)
    await vi.waitFor(async () => {
      await browser.send('POST', '/auth/reload')
      expect(await browser.session()).toEqual({ authenticated: false })
    })
  })

  test('later when a person uses it, not when its tokens are renewed or a page polls', async () => {
    const { browser, on, load } = await endingSession()
    const { key } = await load()
    const records = [`s:{${key}}:hot`, `s:{${key}}:cold`]
    const lives = () => Promise.all(records.map((record) => on.dependencies.redis.pttl(record)))
    for (const record of records) await on.dependencies.redis.pexpire(record, 60_000)
    await browser.send('GET', '/auth/session')
    await browser.send('POST', '/auth/reload')
    await on.dependencies.refresh.renewed(await load())
    for (const life of await lives()) expect(life).toBeLessThanOrEqual(60_000)
    await browser.send('GET', '/api/auth/user')
    await vi.waitFor(async () => {
      for (const life of await lives()) expect(life).toBeGreaterThan(60_000)
    })
  })

  test('earlier than it should where its use cannot be noted, which the log says', async () => {
    const { browser, on } = await endingSession()
    vi.spyOn(on.dependencies.redis, 'pexpire').mockRejectedValueOnce(new Error('READONLY'))
    expect((await browser.send('GET', '/api/auth/user')).status).toBe(200)
    await vi.waitFor(() => expect(on.log.join('')).toContain('the use of a session was not noted'))
  })

  test('at its absolute end, however much it is used', async () => {
    const short = await forThisTest(startBff({ SESSION_UNVERIFIED_SECONDS: '6' }))
    const { browser } = await signedUp(short)
    expect((await browser.send('GET', '/api/auth/user')).status).toBe(200)
    await vi.waitFor(async () => expect((await browser.send('GET', '/api/auth/user')).status).toBe(401), {
      interval: 200,
    })
  })

  test('when the account has more than it may', async () => {
    const few = await forThisTest(startBff({ SESSIONS_PER_USER: '2' }))
    const { browser: first, email } = await signedUp(few)
    const second = few.browser()
    const third = few.browser()
    await second.signIn(email, password)
    await third.signIn(email, password)
    expect(await first.session()).toEqual({ authenticated: false })
    expect(await second.session()).toMatchObject({ authenticated: true })
    expect(await third.session()).toMatchObject({ authenticated: true })
  })

  test('at once with a sign-out, which answers 204 also the second time and clears the cookie', async () => {
    const { browser, secret } = await signedUp()
    for (const time of ['first', 'second']) {
      const response = await browserOf(bff, secret).send('POST', '/auth/sign-out')
      expect(response.headers.get('clear-site-data')).toBe('"cache"')
      expect(response.status, time).toBe(204)
      expect(response.headers.getSetCookie()).toEqual([
        expect.stringMatching(/^sid-\d+=; Max-Age=0; Path=\/; HttpOnly/),
      ])
    }
    expect(await browserOf(bff, secret).session()).toEqual({ authenticated: false })
    expect((await browser.send('GET', '/api/auth/user')).status).toBe(401)
  })

  test.each(['cut', 'silent'] as const)('with a sign-out while the provider is away (%s) too', async (how) => {
    const { gate, browser, on, secret } = await endingSession()
    gate.set(how)
    expect((await browser.send('POST', '/auth/sign-out')).status).toBe(204)
    expect(await browserOf(on, secret).session()).toEqual({ authenticated: false })
  })

  test('at the provider too, so that its refresh token is worth nothing', async () => {
    const { gate, browser, on } = await endingSession()
    const refreshToken = gate.tokens.at(-1) ?? ''
    await on.dependencies.provider.refresh('password', refreshToken)
    await browser.send('POST', '/auth/sign-out')
    // Done at once: the next person may sign in there as soon as the page has its answer.
    await expect(on.dependencies.provider.refresh('password', refreshToken)).rejects.toMatchObject({
      reason: 'invalid_grant',
    })
  })
})

test.each(['one of them', 'all others'])(
  'ending %s from another browser ends the session at the provider too',
  async (which) => {
    const { gate, browser, email, on } = await endingSession()
    const refreshToken = gate.tokens.at(-1) ?? ''
    const elsewhere = on.browser()
    await elsewhere.signIn(email, password)
    const { sessions } = authApi.sessions.response.parse(await (await elsewhere.send('GET', '/auth/sessions')).json())
    const other = sessions.find(({ current }) => !current)?.id
    const path = which === 'all others' ? '/auth/sessions?others=1' : `/auth/sessions/${other}`
    expect((await elsewhere.send('DELETE', path)).status).toBe(204)
    expect(await browser.session()).toEqual({ authenticated: false })
    await expect(on.dependencies.provider.refresh('password', refreshToken)).rejects.toMatchObject({
      reason: 'invalid_grant',
    })
    expect(await elsewhere.session()).toMatchObject({ authenticated: true })
  },
)

test('a page gets a token that lives long enough', async () => {
  const { browser, end } = await endingSession()
  await end(80)
  const session = await browser.session()
  expect(session).toMatchObject({ authenticated: true })
  if (session.authenticated) expect(session.expires_in).toBeGreaterThan(90)
})
