import { errorBodySchema } from '@parley/contracts/errors'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { linkFrom, mailsTo, newAddress, pressButton } from './mailbox.ts'
import { type Bff, startBff } from './start-bff.ts'

let bff: Bff
beforeAll(async () => {
  // On the stack's own port, where the provider sends its back-channel logouts.
  bff = await startBff({ PORT: inject('stack').env.bff['PORT'] ?? '' })
})
afterAll(() => bff.stop())

const password = 'correct horse'

async function signedUp(browser = bff.browser()) {
  const email = newAddress()
  const response = await browser.signUp(email, password)
  expect(response.status).toBe(201)
  return { browser, email }
}

test('sign-up starts a session with an unverified address', async () => {
  const { browser, email } = await signedUp()
  expect(await browser.session()).toMatchObject({
    authenticated: true,
    access_token: 'cookie',
    claims: { email, email_verified: false },
  })
})

test('the mailed link verifies the address, and the session says so without a new sign-in', async () => {
  const { browser, email } = await signedUp()
  expect(await (await browser.send('POST', '/auth/reload')).json()).toEqual({ emailVerified: false })
  const answer = await pressButton(await linkFrom(email, 'Verify email'))
  expect(answer.status).toBeLessThan(400)
  await vi.waitFor(
    async () => expect(await (await browser.send('POST', '/auth/reload')).json()).toEqual({ emailVerified: true }),
    { timeout: 10_000, interval: 300 },
  )
  expect(await browser.session()).toMatchObject({ authenticated: true, claims: { email, email_verified: true } })
})

test('resending mails the link again, but not twice at once', async () => {
  const { browser, email } = await signedUp()
  await linkFrom(email, 'Verify email')
  expect((await browser.send('POST', '/auth/verification-email')).status).toBe(204)
  const second = await browser.send('POST', '/auth/verification-email')
  expect(second.status).toBe(429)
  expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0)
  await vi.waitFor(async () => expect(await mailsTo(email)).toHaveLength(2), { timeout: 10_000 })
})

test('a second sign-up with the same address fails without saying why', async () => {
  const { email } = await signedUp()
  const response = await bff.browser().signUp(email, 'another password')
  expect(response.status).toBe(409)
  expect(errorBodySchema.parse(await response.json())).toMatchObject({
    code: 'sign_up_failed',
    message: 'Failed to create account',
  })
})

test.each([
  [{ email: 'a@b', password }, 'email'],
  [{ email: '', password }, 'email'],
  [{ email: 'someone@parley.test', password: '12345' }, 'password'],
  [{ password }, 'email'],
  [{}, 'email'],
])('sign-up with %j names the field %s', async (body, field) => {
  const response = await bff.browser().postJson('/auth/sign-up', body)
  expect(response.status).toBe(400)
  const error = errorBodySchema.parse(await response.json())
  expect(error.code).toBe('validation_failed')
  expect(Object.keys(error.fields ?? {})).toContain(field)
})

test('a password of exactly six characters signs up and in', async () => {
  const email = newAddress()
  expect((await bff.browser().signUp(email, 'abc123')).status).toBe(201)
  expect((await bff.browser().signIn(email, 'abc123')).status).toBe(200)
})

test('password sign-in answers as an OAuth token endpoint and replaces a planted cookie', async () => {
  const { email } = await signedUp()
  const browser = bff.browser()
  const planted = `${bff.dependencies.cookie.name}=${'A'.repeat(43)}`
  browser.setCookie(planted)
  const response = await browser.signIn(email.toUpperCase(), password)
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({
    token_type: 'Bearer',
    access_token: 'cookie',
    scope: 'openid profile email',
  })
  expect(browser.cookie()).not.toBe(planted)
  expect(browser.cookie()).toMatch(/^sid-\d+=[\w-]{43}$/)
})

test('signing in again ends the browser’s earlier session', async () => {
  const { browser, email } = await signedUp()
  const earlier = bff.browser()
  earlier.setCookie(browser.cookie())
  await browser.signIn(email, password)
  expect(await earlier.session()).toEqual({ authenticated: false })
  expect(await browser.session()).toMatchObject({ authenticated: true })
})

test('a wrong password and an unknown address get the same answer', async () => {
  const { email } = await signedUp()
  const answers = await Promise.all(
    [email, newAddress('nobody')].map(async (address) => {
      const response = await bff.browser().signIn(address, 'wrong password')
      return { status: response.status, body: await response.json(), cookie: response.headers.getSetCookie() }
    }),
  )
  expect(answers[0]).toEqual({
    status: 400,
    body: { error: 'invalid_grant', error_description: 'Invalid email or password' },
    cookie: [],
  })
  expect(answers[1]).toEqual(answers[0])
})

test('sign-out ends the session at once and answers 204 also the second time', async () => {
  const { browser } = await signedUp()
  const stolen = bff.browser()
  stolen.setCookie(browser.cookie())
  expect((await browser.send('POST', '/auth/sign-out')).status).toBe(204)
  expect(await stolen.session()).toEqual({ authenticated: false })
  expect((await browser.send('POST', '/auth/sign-out')).status).toBe(204)
})

test('the reset mail sets a new password, ends every session, and the answer does not tell who has an account', async () => {
  const { browser, email } = await signedUp()
  const known = await bff.browser().postJson('/auth/password-reset', { email })
  const unknown = await bff.browser().postJson('/auth/password-reset', { email: newAddress('nobody') })
  expect([known.status, unknown.status]).toEqual([202, 202])
  expect(await known.text()).toBe(await unknown.text())

  const link = await linkFrom(email, 'Update Your Account')
  const done = await pressButton(link, { 'password-new': 'brand new one', 'password-confirm': 'brand new one' })
  expect(done.status).toBeLessThan(400)
  await vi.waitFor(async () => expect(await browser.session()).toEqual({ authenticated: false }), { timeout: 10_000 })
  expect((await bff.browser().signIn(email, password)).status).toBe(400)
  expect((await bff.browser().signIn(email, 'brand new one')).status).toBe(200)
})

test('reset mails to one address are limited and the answer stays 202', async () => {
  const { email } = await signedUp()
  for (let attempt = 0; attempt < 5; attempt++) {
    expect((await bff.browser().postJson('/auth/password-reset', { email })).status).toBe(202)
  }
  await vi.waitFor(async () => expect((await mailsTo(email)).length).toBeGreaterThanOrEqual(4), { timeout: 10_000 })
  const resets = (await mailsTo(email)).filter(({ subject }) => subject === 'Update Your Account')
  expect(resets).toHaveLength(3)
})

test('no secret reaches the log', async () => {
  const { browser, email } = await signedUp()
  await bff.browser().signIn(email, 'wrong password')
  const { id_token } = (await browser.session()) as { id_token: string }
  const lines = bff.log.join('')
  expect(lines).toContain('auth.signUp')
  for (const secret of [password, 'wrong password', email, id_token, browser.cookie().split('=')[1] ?? '']) {
    expect(lines).not.toContain(secret)
  }
})
