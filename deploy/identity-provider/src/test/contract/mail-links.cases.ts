import { createBrowser, type Page, useMailLink } from '@parley/service-kit/testing/provider-browser'
import { expect } from 'vitest'
import { type Account, admin, grant, newAccount, newEmail, signIn, userinfo } from './calls.ts'
import { linkIn, mailTo } from './mails.ts'
import { expectEnded } from './sessions.cases.ts'
import type { ContractCase, ContractTarget } from './target.ts'
import { waitFor } from './wait-for.ts'

const verifySubject = 'Verify email'
const updateSubject = 'Update Your Account'

function sendPath(target: ContractTarget, account: Account, call: string, page: string, lifespan = 3600): string {
  const redirect = encodeURIComponent(`${target.publicOrigin}${page}`)
  return `/users/${account.id}/${call}?client_id=app-links&redirect_uri=${redirect}&lifespan=${lifespan}`
}

async function verifyLink(target: ContractTarget, account: Account, lifespan?: number): Promise<string> {
  const path = sendPath(target, account, 'send-verify-email', '/verify-email', lifespan)
  expect((await admin(target, 'PUT', path)).status).toBe(204)
  return linkIn(await mailTo(target, account.email, verifySubject))
}

async function passwordLink(target: ContractTarget, account: Account, already = 0): Promise<string> {
  const path = sendPath(target, account, 'execute-actions-email', '/login', 900)
  expect((await admin(target, 'PUT', path, ['UPDATE_PASSWORD'])).status).toBe(204)
  return linkIn(await mailTo(target, account.email, updateSubject, already))
}

const isVerified = async (target: ContractTarget, account: Account) =>
  Object((await admin(target, 'GET', `/users/${account.id}`)).body).emailVerified

/** Opens a password link up to the form, past the page that Keycloak puts before it. */
async function openForm(browser: ReturnType<typeof createBrowser>, link: string): Promise<Page> {
  const page = await browser.visit(link)
  return page.text.includes('password-new') ? page : browser.proceed(page)
}

const typed = (password: string, again = password) => ({ 'password-new': password, 'password-confirm': again })

export const mailLinkCases: ContractCase[] = [
  {
    name: 'the verification mail comes in Parley’s name, as text and HTML with the same link',
    run: async (target) => {
      const account = await newAccount(target)
      const link = await verifyLink(target, account)
      const mail = await mailTo(target, account.email, verifySubject)
      expect(mail.from[0]?.name).toBe('Parley')
      expect(link).toMatch(`${target.issuer}/login-actions/action-token?key=`)
      expect(mail.html.replaceAll('&amp;', '&')).toContain(link)
    },
  },
  {
    name: 'opening the link verifies nothing, its button does, and userinfo tells at once',
    run: async (target) => {
      const account = await newAccount(target)
      const { access_token } = await signIn(target, account)
      const link = await verifyLink(target, account)
      await createBrowser(target.issuer).visit(link)
      const browser = createBrowser(target.issuer)
      const page = await browser.visit(link)
      expect(page.status).toBe(200)
      expect(await isVerified(target, account)).toBe(false)
      const done = await browser.proceed(page)
      expect(done.status).toBe(200)
      expect(done.text).toContain(`href="${target.publicOrigin}/verify-email"`)
      expect(await isVerified(target, account)).toBe(true)
      expect((await userinfo(target, access_token)).body).toMatchObject({ email_verified: true })
      const again = await createBrowser(target.issuer).visit(link)
      expect(again.status).toBe(200)
      expect(again.text).toMatch(/verified already/)
    },
  },
  {
    name: 'a verification link proves its address until it expires, also once an administrator has taken that back',
    run: async (target) => {
      const account = await newAccount(target)
      const link = await verifyLink(target, account)
      for (const proof of ['first', 'second']) {
        await useMailLink(link)
        expect(await isVerified(target, account), proof).toBe(true)
        const { status } = await admin(target, 'PUT', `/users/${account.id}`, { emailVerified: false })
        expect(status).toBe(204)
      }
    },
  },
  {
    name: 'the verification mail can be sent without a client',
    run: async (target) => {
      const account = await newAccount(target)
      expect((await admin(target, 'PUT', `/users/${account.id}/send-verify-email`)).status).toBe(204)
      await mailTo(target, account.email, verifySubject)
    },
  },
  {
    name: 'a mail in the name of an unknown client is refused',
    run: async (target) => {
      const { id } = await newAccount(target)
      for (const redirect of ['', `&redirect_uri=${encodeURIComponent(`${target.publicOrigin}/login`)}`]) {
        const query = `client_id=no-such-client${redirect}`
        const { status, body } = await admin(target, 'PUT', `/users/${id}/send-verify-email?${query}`)
        expect([status, body]).toEqual([400, { errorMessage: "Client doesn't exist" }])
      }
    },
  },
  {
    name: 'a redirect address without a client is refused',
    run: async (target) => {
      const { id } = await newAccount(target)
      const query = `redirect_uri=${encodeURIComponent(`${target.publicOrigin}/login`)}`
      const { status, body } = await admin(target, 'PUT', `/users/${id}/send-verify-email?${query}`)
      expect([status, body]).toEqual([400, { errorMessage: 'Client id missing' }])
    },
  },
  {
    name: 'a link never leads back to an address outside the app',
    run: async (target) => {
      const { id } = await newAccount(target)
      for (const page of ['https://evil.example/', `${target.publicOrigin}.evil.example/login`]) {
        const query = `client_id=app-links&redirect_uri=${encodeURIComponent(page)}`
        const { status, body } = await admin(target, 'PUT', `/users/${id}/send-verify-email?${query}`)
        expect([status, body]).toEqual([400, { errorMessage: 'Invalid redirect uri.' }])
      }
    },
  },
  {
    name: 'an expired link verifies nothing',
    run: async (target) => {
      const account = await newAccount(target)
      const link = await verifyLink(target, account, 1)
      await waitFor('the link to expire', async () => {
        const { status } = await createBrowser(target.issuer).visit(link)
        return status === 400 ? true : undefined
      })
      expect(await isVerified(target, account)).toBe(false)
    },
  },
  {
    name: 'a link proves only the address to which it was sent',
    run: async (target) => {
      const account = await newAccount(target)
      const link = await verifyLink(target, account)
      await admin(target, 'PUT', `/users/${account.id}`, { email: newEmail(), emailVerified: false })
      const browser = createBrowser(target.issuer)
      const page = await browser.visit(link)
      if (page.status === 200 && /<form|login-actions/.test(page.text)) await browser.proceed(page)
      expect(await isVerified(target, account)).toBe(false)
    },
  },
  {
    name: 'a made-up link is answered with a page',
    run: async (target) => {
      const page = await createBrowser(target.issuer).visit(`${target.issuer}/login-actions/action-token?key=made-up`)
      expect(page.status).toBe(400)
      expect(page.text).toContain('<html')
    },
  },
  {
    name: 'asking for a new password changes nothing until the form is sent',
    run: async (target) => {
      const account = await newAccount(target)
      const link = await passwordLink(target, account)
      await createBrowser(target.issuer).visit(link)
      expect((await grant(target, account.email, account.password)).status).toBe(200)
      expect((await admin(target, 'GET', `/users/${account.id}`)).body).toMatchObject({ requiredActions: [] })
    },
  },
  {
    name: 'two passwords that differ, or one of five characters, change nothing',
    run: async (target) => {
      const account = await newAccount(target)
      const browser = createBrowser(target.issuer)
      const form = await openForm(browser, await passwordLink(target, account))
      const differ = await browser.submit(form, typed('brand-new-1', 'brand-new-2'))
      expect(differ.text).toContain('password-new')
      const short = await browser.submit(differ, typed('12345'))
      expect(short.text).toContain('password-new')
      expect((await grant(target, account.email, account.password)).status).toBe(200)
    },
  },
  {
    name: 'a new password replaces the old one, ends every session and proves the address',
    run: async (target) => {
      const account = await newAccount(target)
      const sessions = [await signIn(target, account), await signIn(target, account)]
      const browser = createBrowser(target.issuer)
      const done = await browser.submit(
        await openForm(browser, await passwordLink(target, account)),
        typed('brand-new-1'),
      )
      expect(done.status).toBe(200)
      expect(done.text).toContain(`href="${target.publicOrigin}/login"`)
      expect((await grant(target, account.email, account.password)).status).toBe(400)
      expect((await grant(target, account.email, 'brand-new-1')).status).toBe(200)
      for (const tokens of sessions) await expectEnded(target, tokens)
      for (const tokens of sessions) await target.logouts.wait(tokens.session_state)
      expect(await isVerified(target, account)).toBe(true)
    },
  },
  {
    name: 'a password link works once',
    run: async (target) => {
      const account = await newAccount(target)
      const link = await passwordLink(target, account)
      const browser = createBrowser(target.issuer)
      await browser.submit(await openForm(browser, link), typed('brand-new-1'))
      const again = await createBrowser(target.issuer).visit(link)
      expect(again.status).toBe(400)
      expect((await grant(target, account.email, 'brand-new-1')).status).toBe(200)
    },
  },
  {
    name: 'an earlier password link works until it expires, also after a later one',
    run: async (target) => {
      const account = await newAccount(target)
      const earlier = await passwordLink(target, account)
      const later = await passwordLink(target, account, 1)
      expect(later).not.toBe(earlier)
      await useMailLink(later, typed('brand-new-1'))
      await useMailLink(earlier, typed('brand-new-2'))
      expect((await grant(target, account.email, 'brand-new-1')).status).toBe(400)
      expect((await grant(target, account.email, 'brand-new-2')).status).toBe(200)
    },
  },
]
