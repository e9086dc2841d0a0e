import { authApi } from '@parley/contracts/account/auth-endpoints'
import { identityApi } from '@parley/contracts/account/identity'
import { useMailLink } from '@parley/service-kit/testing/provider-browser'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { linkFrom, newAddress } from '../mailbox.ts'
import { findAccount, lockAccount } from '../provider-admin.ts'
import { type Bff, startBff } from '../start-bff.ts'

let bff: Bff
beforeAll(async () => {
  // The app runs on the stack's own port, where the provider sends its back-channel logouts.
  bff = await startBff({ PORT: inject('stack').env.bff['PORT'] ?? '' })
})
afterAll(() => bff.stop())

const password = 'correct horse'

async function signedUp() {
  const browser = bff.browser()
  const email = newAddress()
  expect((await browser.signUp(email, password)).status).toBe(201)
  return { browser, email }
}
type Browser = Awaited<ReturnType<typeof signedUp>>['browser']

const isVerified = async (browser: Browser) =>
  authApi.reload.response.parse(await (await browser.send('POST', '/auth/reload')).json()).emailVerified
/** The session asks the provider at most once in two seconds. */
const becomesVerified = (browser: Browser) =>
  vi.waitFor(async () => expect(await isVerified(browser)).toBe(true), { timeout: 120_000, interval: 300 })

const withLetterChanged = (link: string) =>
  link.replace(/key=(.)/, (_all, letter: string) => `key=${letter === 'a' ? 'b' : 'a'}`)

describe('the verification link', () => {
  test('verifies from any browser, and the session says so without a new sign-in', async () => {
    const { browser, email } = await signedUp()
    expect(await isVerified(browser)).toBe(false)
    const answer = await useMailLink(await linkFrom(email, 'Verify email'))
    expect(answer.status).toBeLessThan(400)
    await becomesVerified(browser)
    expect(await browser.session()).toMatchObject({ authenticated: true, claims: { email, email_verified: true } })
  })

  test('opens no session of its own, and changes nothing the second time', async () => {
    const { browser, email } = await signedUp()
    const link = await linkFrom(email, 'Verify email')
    const afterwards = []
    for (const time of ['first', 'second']) {
      const answer = await useMailLink(link)
      expect(answer.status, time).toBeLessThan(500)
      expect(answer.text, time).not.toMatch(/id_token|access_token/)
      afterwards.push(await findAccount(email))
    }
    expect(afterwards[0]).toMatchObject({ emailVerified: true })
    expect(afterwards[1]).toEqual(afterwards[0])
    const sessions = await browser.send('GET', authApi.sessions.path)
    expect(authApi.sessions.response.parse(await sessions.json()).sessions).toHaveLength(1)
  })

  test('is not used up by the scanner of a mail program, which opens it', async () => {
    const { browser, email } = await signedUp()
    const link = await linkFrom(email, 'Verify email')
    for (const method of ['GET', 'HEAD', 'GET', 'GET']) await fetch(link, { method })
    expect(await isVerified(browser)).toBe(false)
    await useMailLink(link)
    await becomesVerified(browser)
  })

  test('is worth nothing with a letter changed', async () => {
    const { email } = await signedUp()
    const link = await linkFrom(email, 'Verify email')
    expect((await useMailLink(withLetterChanged(link))).text).not.toContain(email)
    const browser = bff.browser()
    await browser.signIn(email, password)
    expect(await browser.session()).toMatchObject({ claims: { email_verified: false } })
  })
})

test.each(['disable', 'delete'] as const)(
  'an account that is ended by ours (%s) is out at once, everywhere',
  async (how) => {
    const { browser, email } = await signedUp()
    const elsewhere = bff.browser()
    await elsewhere.signIn(email, password)
    const session = await browser.session()
    if (!session.authenticated) throw new Error('no session')
    const { callIdentity } = bff.dependencies
    await callIdentity(identityApi.endAccount, { params: { sub: session.claims.sub }, body: { how } })
    for (const one of [browser, elsewhere])
      await vi.waitFor(async () => expect((await one.send('GET', '/api/auth/user')).status).toBe(401), {
        timeout: 10_000,
      })
    expect((await bff.browser().signIn(email, password)).status).toBe(400)
  },
)

describe('the reset link', () => {
  const chosen = { 'password-new': 'brand new one', 'password-confirm': 'brand new one' }

  test('sets a new password once, and ends every session of the account', async () => {
    const { browser, email } = await signedUp()
    const elsewhere = bff.browser()
    await elsewhere.signIn(email, password)
    await bff.browser().postJson('/auth/password-reset', { email })
    const link = await linkFrom(email, 'Update Your Account')
    expect((await useMailLink(link, chosen)).status).toBeLessThan(400)
    for (const session of [browser, elsewhere])
      await vi.waitFor(async () => expect(await session.session()).toEqual({ authenticated: false }), {
        timeout: 10_000,
      })
    expect((await bff.browser().signIn(email, password)).status).toBe(400)
    expect((await bff.browser().signIn(email, 'brand new one')).status).toBe(200)
    await useMailLink(link, { 'password-new': 'third one', 'password-confirm': 'third one' })
    expect((await bff.browser().signIn(email, 'third one')).status).toBe(400)
  })

  test('lets its owner in whose account somebody has locked with wrong passwords', async () => {
    const { email } = await signedUp()
    await bff.browser().postJson('/auth/password-reset', { email })
    const link = await linkFrom(email, 'Update Your Account')
    await lockAccount(email)
    expect((await bff.browser().signIn(email, password)).status).toBe(400)
    await useMailLink(link, chosen)
    // Only the new password signs in.
    expect((await bff.browser().signIn(email, password)).status).toBe(400)
    expect((await bff.browser().signIn(email, 'brand new one')).status).toBe(200)
  }, 180_000)

  test('that was never opened leaves a lock as it is', async () => {
    const { email } = await signedUp()
    await lockAccount(email)
    await bff.browser().postJson('/auth/password-reset', { email })
    await linkFrom(email, 'Update Your Account')
    expect((await bff.browser().signIn(email, password)).status).toBe(400)
  }, 180_000)

  test('is not used up by a scanner, and is worth nothing with a letter changed', async () => {
    const { email } = await signedUp()
    await bff.browser().postJson('/auth/password-reset', { email })
    const link = await linkFrom(email, 'Update Your Account')
    for (const method of ['GET', 'HEAD', 'GET', 'GET']) await fetch(link, { method })
    await useMailLink(withLetterChanged(link), chosen)
    expect((await bff.browser().signIn(email, 'brand new one')).status).toBe(400)
    await useMailLink(link, chosen)
    expect((await bff.browser().signIn(email, 'brand new one')).status).toBe(200)
  })
})
