import { createBrowser } from '@parley/service-kit/testing/provider-browser'
import { expect } from 'vitest'
import { type Account, admin, grant, newAccount, parseTokens, verified } from './calls.ts'
import { authUrl, backAtClient, codeFor, exchange, newVerifier } from './code-flow.ts'
import { linkIn, mailTo } from './mails.ts'
import type { ContractCase, ContractTarget } from './target.ts'

/** Signs in on the hosted page, up to what the account must do first. */
async function upToAction(target: ContractTarget, account: Account, verifier = newVerifier()) {
  const browser = createBrowser(target.issuer)
  const login = await browser.visit(authUrl(target, verifier))
  const page = await browser.submit(login, { username: account.email, password: account.password })
  return { browser, page, verifier }
}

const typed = (password: string, again = password) => ({ 'password-new': password, 'password-confirm': again })

const actionsOf = async (target: ContractTarget, account: Account) =>
  Object((await admin(target, 'GET', `/users/${account.id}`)).body).requiredActions

export const requiredActionCases: ContractCase[] = [
  {
    name: 'an account that must choose a new password is asked for it on the hosted page and then signed in',
    run: async (target) => {
      const account = await newAccount(target, { requiredActions: ['UPDATE_PASSWORD'] })
      const { browser, page, verifier } = await upToAction(target, account)
      expect(page.location).toBeNull()
      const back = backAtClient(target, await browser.submit(page, typed('brand-new-1')))
      const tokens = parseTokens(await exchange(target, back.get('code') ?? '', verifier))
      expect((await verified(target, tokens.id_token)).payload.sub).toBe(account.id)
      expect(await actionsOf(target, account)).toEqual([])
      expect((await grant(target, account.email, 'brand-new-1')).status).toBe(200)
      expect((await grant(target, account.email, account.password)).status).toBe(400)
    },
  },
  {
    name: 'a temporary password must be replaced in the same way',
    run: async (target) => {
      const credentials = [{ type: 'password', value: 'secret-1', temporary: true }]
      const account = await newAccount(target, { credentials })
      const { browser, page } = await upToAction(target, account)
      backAtClient(target, await browser.submit(page, typed('brand-new-1')))
      expect((await grant(target, account.email, 'brand-new-1')).status).toBe(200)
    },
  },
  {
    name: 'two new passwords that differ, or one of five characters, are asked for again',
    run: async (target) => {
      const account = await newAccount(target, { requiredActions: ['UPDATE_PASSWORD'] })
      const { browser, page } = await upToAction(target, account)
      const differ = await browser.submit(page, typed('brand-new-1', 'brand-new-2'))
      expect([differ.location, differ.text.includes('password-new')]).toEqual([null, true])
      const short = await browser.submit(differ, typed('12345'))
      expect([short.location, short.text.includes('password-new')]).toEqual([null, true])
      expect(await actionsOf(target, account)).toEqual(['UPDATE_PASSWORD'])
    },
  },
  {
    name: 'an account that must prove its address gets a mail, and signs in once that is done',
    run: async (target) => {
      const account = await newAccount(target, { requiredActions: ['VERIFY_EMAIL'] })
      const { page } = await upToAction(target, account)
      expect(page.location).toBeNull()
      const other = createBrowser(target.issuer)
      await other.proceed(await other.visit(linkIn(await mailTo(target, account.email, 'Verify email'))))
      expect(await actionsOf(target, account)).toEqual([])
      expect(await codeFor(target, account, newVerifier())).not.toBe('')
    },
  },
]
