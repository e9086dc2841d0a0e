import { type Browser, createBrowser, type Page } from '@parley/service-kit/testing/provider-browser'
import { z } from 'zod'
import { admin, parseTokens, verified } from './calls.ts'
import { authUrl, backAtClient, exchange, newVerifier } from './code-flow.ts'
import type { ContractTarget } from './target.ts'

/** The made-up people of the realm that plays Google. */
export const gwen = 'gwen@gmail.test'
export const bob = 'bob@gmail.test'
export const mallory = 'mallory@gmail.test'
const password = 'offline-google'

/** Begins a sign-in that goes straight to Google. */
export const startWithGoogle = (target: ContractTarget, browser: Browser, verifier: string): Promise<Page> =>
  browser.visit(authUrl(target, verifier, { kc_idp_hint: 'google' }))

/** Signs in at Google and comes back: to the client, or to a page that wants to know more. */
export async function throughGoogle(
  target: ContractTarget,
  email: string,
  { browser = createBrowser(target.issuer), verifier = newVerifier() } = {},
): Promise<Page> {
  return signInAtGoogle(browser, await startWithGoogle(target, browser, verifier), email)
}

/** @param stopAt a redirect to an address that contains this text is not followed */
export const signInAtGoogle = (browser: Browser, page: Page, email: string, stopAt?: string): Promise<Page> =>
  browser.submit(page, { username: email, password }, stopAt)

/** Tokens and claims for the code with which a browser is back at the client. */
export async function tokensFor(target: ContractTarget, page: Page, verifier: string) {
  const tokens = parseTokens(await exchange(target, backAtClient(target, page).get('code') ?? '', verifier))
  return { tokens, claims: (await verified(target, tokens.id_token)).payload }
}

/** Shows by its password that an existing account is one's own. */
export async function proveByPassword(browser: Browser, page: Page, email: string, typed: string): Promise<Page> {
  const otherWay = page.text.includes('name="tryAnotherWay"') && !page.text.includes('name="password"')
  const asks = otherWay ? await tryAnotherWay(browser, page, /password/i) : page
  return browser.submit(asks, { password: typed, username: email })
}

/** Asks for a mail to show that an existing account is one's own; Keycloak has sent it already. */
export const askForMail = (browser: Browser, page: Page): Promise<Page> =>
  page.text.includes('name="mail"') ? browser.submit(page, { mail: 'yes' }) : Promise.resolve(page)

/** Keycloak shows one way at a time and offers the others on a page of their own. */
async function tryAnotherWay(browser: Browser, page: Page, wanted: RegExp): Promise<Page> {
  const choices = await browser.submit(page, { tryAnotherWay: 'on' })
  const choice = (choices.text.match(/<li\b[\s\S]*?<\/li>/gi) ?? []).find((text) => wanted.test(text)) ?? ''
  const execution = /name="authenticationExecution" value="([^"]+)"/.exec(choice)?.[1]
  if (execution === undefined) throw new Error(`There is no other way on ${page.url}`)
  return browser.submit(choices, { authenticationExecution: execution })
}

const usersSchema = z.array(z.looseObject({ id: z.string(), emailVerified: z.boolean() }))

/** The account of an address, if there is one. */
export async function findAccount(target: ContractTarget, email: string) {
  const { body } = await admin(target, 'GET', `/users?email=${encodeURIComponent(email)}&exact=true`)
  return usersSchema.parse(body)[0]
}

/** Google's people are the same for every case, so each case begins by forgetting the one it is about. */
export async function forget(target: ContractTarget, email: string): Promise<void> {
  const account = await findAccount(target, email)
  if (account) await admin(target, 'DELETE', `/users/${account.id}`)
}

export async function identitiesOf(target: ContractTarget, id: string): Promise<unknown> {
  return (await admin(target, 'GET', `/users/${id}/federated-identity`)).body
}
