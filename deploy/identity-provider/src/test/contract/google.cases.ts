import type { Browser, Page } from '@parley/service-kit/testing/provider-browser'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  admin,
  authUrl,
  claimsOf,
  findAccount,
  grant,
  mailsTo,
  mailTo,
  newAccount,
  newBrowser,
  newVerifier,
  refresh,
  tokensAt,
  tokensIn,
  userinfo,
  webClient,
} from './calls.ts'

/** The made-up people of the page or realm that plays Google; it has not verified the last one's address. */
const [gwen, bob, mallory] = ['gwen@gmail.test', 'bob@gmail.test', 'mallory@gmail.test'] as const

/** Begins a sign-in that goes straight to Google. */
const startWithGoogle = (browser: Browser, verifier = newVerifier()) =>
  browser.visit(authUrl(verifier, { kc_idp_hint: 'google' }))

const chooseAtGoogle = (browser: Browser, page: Page, email: string) =>
  browser.submit(page, { username: email, password: 'offline-google' })

/** Signs in at Google and comes back: to the client, or to a page that wants to know more. */
const throughGoogle = async (email: string, verifier = newVerifier(), browser = newBrowser()) =>
  chooseAtGoogle(browser, await startWithGoogle(browser, verifier), email)

describe('google', () => {
  // Google's people are the same for every case.
  beforeEach(async () => {
    for (const email of [gwen, bob, mallory]) {
      const account = await findAccount(email)
      if (account) await admin('DELETE', `/users/${account.id}`)
    }
  })

  test('with the hint the browser goes straight to Google and comes back with an account and its claims', async () => {
    const browser = newBrowser()
    const verifier = newVerifier()
    const atGoogle = await startWithGoogle(browser, verifier)
    expect(atGoogle.url).toContain('/realms/google-offline/')
    expect(atGoogle.text).toContain('Google (offline)')
    const tokens = await tokensAt(await chooseAtGoogle(browser, atGoogle, gwen), verifier)
    const claims = await claimsOf(tokens)
    expect(claims).toMatchObject({
      ...{ aud: 'bff-web', typ: 'ID', nonce: 'nonce-1', sid: expect.any(String), identity_provider: 'google' },
      ...{ email: gwen, email_verified: true, name: 'Gwen Stone', given_name: 'Gwen', family_name: 'Stone' },
      picture: expect.stringMatching(/^https:\/\/lh3\.googleusercontent\.com\//),
    })
    expect((await userinfo(tokens.access_token)).body).toMatchObject({ sub: claims.sub, email_verified: true })
    expect((await admin('GET', `/users/${claims.sub}/credentials`)).body).toEqual([])
    expect((await grant(gwen, 'secret-1')).status).toBe(400)
  })

  test('the second sign-in finds the same account, and a refresh keeps saying who vouched', async () => {
    const verifier = newVerifier()
    const first = await claimsOf(await tokensAt(await throughGoogle(bob, verifier), verifier))
    const tokens = await tokensAt(await throughGoogle(bob, verifier), verifier)
    for (const again of [tokens, tokensIn(await refresh(tokens.refresh_token, webClient()))]) {
      const claims = await claimsOf(again)
      expect(claims).toMatchObject({ sub: first.sub, name: 'Bob', given_name: 'Bob', identity_provider: 'google' })
      for (const name of ['family_name', 'picture']) expect(claims).not.toHaveProperty(name)
    }
  })

  test('an address that Google has not verified is refused or stays unverified, and opens no existing account', async () => {
    await throughGoogle(mallory)
    expect((await findAccount(mallory))?.emailVerified).not.toBe(true)
    const made = await findAccount(mallory)
    if (made) await admin('DELETE', `/users/${made.id}`)
    await newAccount({ emailVerified: true }, mallory)
    expect((await throughGoogle(mallory)).location).toBeNull()
  })

  test('an existing account is opened by a mailed link, which proves the address, and by no address alone', async () => {
    const { id } = await newAccount({}, gwen)
    const browser = newBrowser()
    const verifier = newVerifier()
    const already = (await mailsTo(gwen, 'Link Google')).length
    expect((await throughGoogle(gwen, verifier, browser)).location).toBeNull()
    const { link } = await mailTo(gwen, 'Link Google', already)
    await newBrowser().visit(link)
    expect(await findAccount(gwen)).toMatchObject({ id, emailVerified: false })
    let page = await browser.visit(link)
    for (let step = 0; step < 3 && page.location === null; step += 1) page = await browser.proceed(page)
    const claims = await claimsOf(await tokensAt(page, verifier))
    expect(claims).toMatchObject({ sub: id, email_verified: true, identity_provider: 'google' })
    const again = await claimsOf(await tokensAt(await throughGoogle(gwen, verifier), verifier))
    expect(again.sub).toBe(id)
  })

  test('a disabled account is not opened by Google', async () => {
    await throughGoogle(gwen)
    await admin('PUT', `/users/${(await findAccount(gwen))?.id}`, { enabled: false })
    expect((await throughGoogle(gwen)).location).toBeNull()
  })

  test('the hosted page offers Google too', async () => {
    const browser = newBrowser()
    const verifier = newVerifier()
    const atGoogle = await browser.follow(await browser.visit(authUrl(verifier)), 'social-google')
    const tokens = await tokensAt(await chooseAtGoogle(browser, atGoogle, gwen), verifier)
    expect(await claimsOf(tokens)).toMatchObject({ identity_provider: 'google' })
  })

  test('the page of Google is no use in another browser', async () => {
    const atGoogle = await startWithGoogle(newBrowser())
    const victim = newBrowser()
    const page = await chooseAtGoogle(victim, await victim.visit(atGoogle.url), gwen)
    expect(page.location).toBeNull()
    expect(await findAccount(gwen)).toBeUndefined()
  })
})
