import { useMailLink } from '@parley/service-kit/testing/provider-browser'
import { describe, expect, test, vi } from 'vitest'
import {
  type Account,
  admin,
  findAccount,
  grant,
  mailTo,
  newAccount,
  newBrowser,
  newEmail,
  patience,
  signIn,
  typed,
  userinfo,
} from './calls.ts'
import { expectLoggedOut } from './sessions.cases.ts'
import { target } from './target.ts'

function sendPath({ id }: Account, call: string, page: string, lifespan: number): string {
  const redirect_uri = `${target().publicOrigin}${page}`
  return `/users/${id}/${call}?${new URLSearchParams({ client_id: 'app-links', redirect_uri, lifespan: `${lifespan}` })}`
}

async function verifyMail(account: Account, lifespan = 3600) {
  expect((await admin('PUT', sendPath(account, 'send-verify-email', '/verify-email', lifespan))).status).toBe(204)
  return mailTo(account.email, 'Verify email')
}

async function passwordLink(account: Account): Promise<string> {
  const path = sendPath(account, 'execute-actions-email', '/login', 900)
  expect((await admin('PUT', path, ['UPDATE_PASSWORD'])).status).toBe(204)
  return (await mailTo(account.email, 'Update Your Account')).link
}

const isVerified = async ({ email }: Pick<Account, 'email'>) => (await findAccount(email))?.emailVerified

describe('mail links', () => {
  test('the mail comes in Parley’s name, as text and HTML with the same link', async () => {
    const { from, link, html } = await verifyMail(await newAccount())
    expect(from[0]?.name).toBe('Parley')
    expect(link).toMatch(`${target().issuer}/login-actions/action-token?key=`)
    expect(html.replaceAll('&amp;', '&')).toContain(link)
  })

  test('opening a verification link verifies nothing, its button does, and userinfo tells at once', async () => {
    const account = await newAccount()
    const { access_token } = await signIn(account)
    const { link } = await verifyMail(account)
    await newBrowser().visit(link)
    const browser = newBrowser()
    const page = await browser.visit(link)
    expect([page.status, await isVerified(account)]).toEqual([200, false])
    const done = await browser.proceed(page)
    expect(done.text).toContain(`href="${target().publicOrigin}/verify-email"`)
    expect((await userinfo(access_token)).body).toMatchObject({ email_verified: true })
    const again = await newBrowser().visit(link)
    expect(again.status).toBe(200)
    expect(again.text).toMatch(/verified already/)
  })

  test('an expired or made-up link is answered with a page and verifies nothing', async () => {
    const account = await newAccount()
    const { link } = await verifyMail(account, 1)
    for (const address of [link, `${target().issuer}/login-actions/action-token?key=made-up`])
      await vi.waitFor(async () => expect((await newBrowser().visit(address)).status).toBe(400), patience)
    expect(await isVerified(account)).toBe(false)
  })

  test('a link proves only the address to which it was sent', async () => {
    const account = await newAccount()
    const { link } = await verifyMail(account)
    const email = newEmail()
    await admin('PUT', `/users/${account.id}`, { email, emailVerified: false })
    await useMailLink(link)
    expect(await isVerified({ email })).toBe(false)
  })

  test('a link never leads back to an address outside the app', async () => {
    const { id } = await newAccount()
    for (const redirect_uri of ['https://evil.example/', `${target().publicOrigin}.evil.example/login`]) {
      const query = new URLSearchParams({ client_id: 'app-links', redirect_uri })
      expect((await admin('PUT', `/users/${id}/send-verify-email?${query}`)).status).toBe(400)
    }
  })

  test('a password link changes nothing until two equal passwords of six characters or more are sent', async () => {
    const account = await newAccount()
    const link = await passwordLink(account)
    const browser = newBrowser()
    const opened = await browser.visit(link)
    const form = opened.text.includes('password-new') ? opened : await browser.proceed(opened)
    const differ = await browser.submit(form, typed('brand-new-1', 'brand-new-2'))
    const short = await browser.submit(differ, typed('12345'))
    for (const page of [form, differ, short]) expect(page.text).toContain('password-new')
    expect((await grant(account.email, account.password)).status).toBe(200)
    expect(await findAccount(account.email)).toMatchObject({ requiredActions: [] })
  })

  test('a new password replaces the old one once, ends every session and proves the address', async () => {
    const account = await newAccount()
    const sessions = [await signIn(account), await signIn(account)]
    const link = await passwordLink(account)
    const done = await useMailLink(link, typed('brand-new-1'))
    expect(done.text).toContain(`href="${target().publicOrigin}/login"`)
    expect((await grant(account.email, account.password)).status).toBe(400)
    expect((await grant(account.email, 'brand-new-1')).status).toBe(200)
    for (const tokens of sessions) await expectLoggedOut(tokens)
    expect(await isVerified(account)).toBe(true)
    expect((await newBrowser().visit(link)).status).toBe(400)
  })
})
