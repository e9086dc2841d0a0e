import { z } from 'zod'
import { type Browser, createBrowser, type Page } from './browser.ts'
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

/** The page that asks the owner of an existing account for its password, past the choices that Keycloak puts before it. */
export async function toPasswordProof(browser: Browser, from: Page): Promise<Page> {
  let page = from
  for (let step = 0; step < 4 && !page.text.includes('name="password"'); step += 1) page = await choose(browser, page)
  return page
}

/** Chooses the mail as the proof. */
export async function askForMail(browser: Browser, page: Page): Promise<Page> {
  if (page.text.includes('name="mail"')) return browser.submit(page, { mail: 'yes' })
  return browser.submit(page, {})
}

function choose(browser: Browser, page: Page): Promise<Page> {
  if (page.text.includes('value="linkAccount"')) return browser.submit(page, { submitAction: 'linkAccount' })
  return browser.submit(page, { tryAnotherWay: 'on' })
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
