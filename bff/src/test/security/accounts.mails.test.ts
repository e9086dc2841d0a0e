import { authApi } from '@parley/contracts/auth'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { linkFrom, newAddress, pressButton } from '../mailbox.ts'
import { changeAccount } from '../provider-admin.ts'
import { type Bff, startBff } from '../start-bff.ts'

let bff: Bff
beforeAll(async () => {
  // On the stack's own port, where the provider sends its back-channel logouts.
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
  vi.waitFor(async () => expect(await isVerified(browser)).toBe(true), { timeout: 10_000, interval: 300 })

describe('the verification link', () => {
  test('verifies from any browser, and the session says so without a new sign-in', async () => {
    const { browser, email } = await signedUp()
    expect(await isVerified(browser)).toBe(false)
    const answer = await pressButton(await linkFrom(email, 'Verify email'))
    expect(answer.status).toBeLessThan(400)
    await becomesVerified(browser)
    expect(await browser.session()).toMatchObject({ authenticated: true, claims: { email, email_verified: true } })
  })

  test('opens no session of its own, and does nothing the second time', async () => {
    const { browser, email } = await signedUp()
    const link = await linkFrom(email, 'Verify email')
    for (const time of ['first', 'second']) {
      const answer = await pressButton(link)
      expect(answer.status, time).toBeLessThan(500)
      expect(await answer.text(), time).not.toMatch(/id_token|access_token/)
    }
    await changeAccount(email, { emailVerified: false })
    await pressButton(link)
    await browser.send('POST', '/auth/sign-out')
    const again = bff.browser()
    await again.signIn(email, password)
    expect(await again.session()).toMatchObject({ claims: { email_verified: false } })
  })

  test('is not used up by the scanner of a mail program, which opens it', async () => {
    const { browser, email } = await signedUp()
    const link = await linkFrom(email, 'Verify email')
    for (const method of ['GET', 'HEAD', 'GET', 'GET']) await fetch(link, { method })
    expect(await isVerified(browser)).toBe(false)
    await pressButton(link)
    await becomesVerified(browser)
  })

  test('is worth nothing with a letter changed', async () => {
    const { email } = await signedUp()
    const link = await linkFrom(email, 'Verify email')
    const forged = link.replace(/key=(.)/, (_all, letter: string) => `key=${letter === 'a' ? 'b' : 'a'}`)
    expect(await (await pressButton(forged)).text()).not.toContain(email)
    const browser = bff.browser()
    await browser.signIn(email, password)
    expect(await browser.session()).toMatchObject({ claims: { email_verified: false } })
  })
})

describe('the reset link', () => {
  const chosen = { 'password-new': 'brand new one', 'password-confirm': 'brand new one' }

  test('sets a new password once, and ends every session of the account', async () => {
    const { browser, email } = await signedUp()
    const elsewhere = bff.browser()
    await elsewhere.signIn(email, password)
    await bff.browser().postJson('/auth/password-reset', { email })
    const link = await linkFrom(email, 'Update Your Account')
    expect((await pressButton(link, chosen)).status).toBeLessThan(400)
    for (const session of [browser, elsewhere])
      await vi.waitFor(async () => expect(await session.session()).toEqual({ authenticated: false }), {
        timeout: 10_000,
      })
    expect((await bff.browser().signIn(email, password)).status).toBe(400)
    expect((await bff.browser().signIn(email, 'brand new one')).status).toBe(200)
    await pressButton(link, { 'password-new': 'third one', 'password-confirm': 'third one' })
    expect((await bff.browser().signIn(email, 'third one')).status).toBe(400)
  })

  test('is not used up by a scanner, and an earlier one is dead once a later one was used', async () => {
    const { email } = await signedUp()
    await bff.browser().postJson('/auth/password-reset', { email })
    const earlier = await linkFrom(email, 'Update Your Account')
    await bff.browser().postJson('/auth/password-reset', { email })
    const later = await vi.waitFor(async () => {
      const link = await linkFrom(email, 'Update Your Account')
      expect(link).not.toBe(earlier)
      return link
    })
    for (const link of [earlier, later]) await fetch(link)
    await pressButton(later, chosen)
    await pressButton(earlier, { 'password-new': 'third one', 'password-confirm': 'third one' })
    expect((await bff.browser().signIn(email, 'third one')).status).toBe(400)
    expect((await bff.browser().signIn(email, 'brand new one')).status).toBe(200)
  })
})
