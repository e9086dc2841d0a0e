import { createBrowser } from '@parley/service-kit/testing/provider-browser'
import { expect } from 'vitest'
import { type Account, accountBody, admin, grant, userinfo } from './calls.ts'
import { authUrl, backAtClient, newVerifier } from './code-flow.ts'
import {
  askForMail,
  bob,
  findAccount,
  forget,
  gwen,
  identitiesOf,
  mallory,
  proveByPassword,
  signInAtGoogle,
  startWithGoogle,
  throughGoogle,
  tokensFor,
} from './google.ts'
import { linkIn, mailsTo, mailTo } from './mails.ts'
import type { ContractCase, ContractTarget } from './target.ts'

/** An account with a password for one of Google's people, made before they first came through Google. */
async function accountBefore(target: ContractTarget, email: string, more: Record<string, unknown> = {}) {
  await forget(target, email)
  expect((await admin(target, 'POST', '/users', accountBody(email, more))).status).toBe(201)
  const account: Account = { id: (await findAccount(target, email))?.id ?? '', email, password: 'secret-1' }
  return account
}

export const googleCases: ContractCase[] = [
  {
    name: 'with the hint the browser goes straight to Google and comes back with an account and its claims',
    run: async (target) => {
      await forget(target, gwen)
      const browser = createBrowser(target.issuer)
      const verifier = newVerifier()
      const atGoogle = await startWithGoogle(target, browser, verifier)
      expect(atGoogle.url).toContain('/realms/google-offline/')
      expect(atGoogle.text).toContain('Google (offline)')
      const { tokens, claims } = await tokensFor(target, await signInAtGoogle(browser, atGoogle, gwen), verifier)
      expect(claims).toMatchObject({
        aud: 'bff-web',
        azp: 'bff-web',
        typ: 'ID',
        nonce: 'nonce-1',
        sid: tokens.session_state,
        auth_time: expect.any(Number),
        identity_provider: 'google',
        email: gwen,
        email_verified: true,
        name: 'Gwen Stone',
        given_name: 'Gwen',
        family_name: 'Stone',
        picture: expect.stringMatching(/^https:\/\/lh3\.googleusercontent\.com\//),
      })
      expect((await userinfo(target, tokens.access_token)).body).toMatchObject({
        sub: claims.sub,
        email_verified: true,
        picture: claims['picture'],
      })
    },
  },
  {
    name: 'the account says which identity opens it, and has no password',
    run: async (target) => {
      await forget(target, gwen)
      await throughGoogle(target, gwen)
      const { id = '' } = (await findAccount(target, gwen)) ?? {}
      const identity = { identityProvider: 'google', userId: expect.any(String), userName: gwen }
      expect(await identitiesOf(target, id)).toEqual([identity])
      const { body } = await admin(target, 'GET', `/users/${id}`)
      expect(body).toMatchObject({ federatedIdentities: [identity], emailVerified: true })
      expect((await admin(target, 'PUT', `/users/${id}`, body)).status).toBe(204)
      expect((await admin(target, 'GET', `/users/${id}/credentials`)).body).toEqual([])
      expect((await grant(target, gwen, 'secret-1')).status).toBe(400)
    },
  },
  {
    name: 'an account with a password has no identities',
    run: async (target) => {
      const { id } = await accountBefore(target, bob)
      expect(await identitiesOf(target, id)).toEqual([])
    },
  },
  {
    name: 'the second sign-in finds the same account, and a refresh keeps saying who vouched',
    run: async (target) => {
      await forget(target, bob)
      const verifier = newVerifier()
      const first = await tokensFor(target, await throughGoogle(target, bob, { verifier }), verifier)
      const second = await tokensFor(target, await throughGoogle(target, bob, { verifier }), verifier)
      expect(second.claims.sub).toBe(first.claims.sub)
      expect(second.claims).toMatchObject({ name: 'Bob', given_name: 'Bob', identity_provider: 'google' })
      expect(second.claims).not.toHaveProperty('family_name')
      expect(second.claims).not.toHaveProperty('picture')
    },
  },
  {
    name: 'an address that Google has not verified is refused or stays unverified',
    run: async (target) => {
      await forget(target, mallory)
      const verifier = newVerifier()
      const page = await throughGoogle(target, mallory, { verifier })
      if (page.location !== null) {
        const { claims } = await tokensFor(target, page, verifier)
        expect(claims).toMatchObject({ email: mallory, email_verified: false, identity_provider: 'google' })
      }
      expect((await findAccount(target, mallory))?.emailVerified).not.toBe(true)
    },
  },
  {
    name: 'an existing account is not opened by an address alone, its password links it',
    run: async (target) => {
      const account = await accountBefore(target, gwen, { emailVerified: true })
      const browser = createBrowser(target.issuer)
      const verifier = newVerifier()
      const page = await throughGoogle(target, gwen, { browser, verifier })
      expect(page.location).toBeNull()
      expect(await identitiesOf(target, account.id)).toEqual([])
      const wrong = await proveByPassword(browser, page, gwen, 'not-it-1')
      expect(wrong.location).toBeNull()
      expect(await identitiesOf(target, account.id)).toEqual([])
      const { claims } = await tokensFor(
        target,
        await proveByPassword(browser, wrong, gwen, account.password),
        verifier,
      )
      expect(claims).toMatchObject({ sub: account.id, identity_provider: 'google' })
      expect(await identitiesOf(target, account.id)).toMatchObject([{ identityProvider: 'google', userName: gwen }])
      expect((await grant(target, gwen, account.password)).status).toBe(200)
      const again = await tokensFor(target, await throughGoogle(target, gwen, { verifier }), verifier)
      expect(again.claims.sub).toBe(account.id)
    },
  },
  {
    name: 'the password of an account whose address was never proven is not enough',
    run: async (target) => {
      const { password } = await accountBefore(target, gwen)
      const browser = createBrowser(target.issuer)
      const page = await proveByPassword(browser, await throughGoogle(target, gwen, { browser }), gwen, password)
      expect(page.location).toBeNull()
      expect((await findAccount(target, gwen))?.emailVerified).toBe(false)
    },
  },
  {
    name: 'an existing account is linked by a mailed link, which proves the address',
    run: async (target) => {
      const account = await accountBefore(target, gwen)
      const browser = createBrowser(target.issuer)
      const verifier = newVerifier()
      const already = (await mailsTo(target, gwen, 'Link Google')).length
      await askForMail(browser, await throughGoogle(target, gwen, { browser, verifier }))
      const link = linkIn(await mailTo(target, gwen, 'Link Google', already))
      await createBrowser(target.issuer).visit(link)
      expect(await identitiesOf(target, account.id)).toEqual([])
      let page = await browser.visit(link)
      for (let step = 0; step < 3 && page.location === null; step += 1) page = await browser.proceed(page)
      const { claims } = await tokensFor(target, page, verifier)
      expect(claims).toMatchObject({ sub: account.id, email_verified: true, identity_provider: 'google' })
      expect(await identitiesOf(target, account.id)).toMatchObject([{ identityProvider: 'google' }])
    },
  },
  {
    name: 'an address that Google has not verified opens no existing account',
    run: async (target) => {
      const account = await accountBefore(target, mallory, { emailVerified: true })
      const page = await throughGoogle(target, mallory)
      expect(page.location).toBeNull()
      expect(await identitiesOf(target, account.id)).toEqual([])
    },
  },
  {
    name: 'a disabled account is not opened by Google',
    run: async (target) => {
      await forget(target, gwen)
      await throughGoogle(target, gwen)
      const { id = '' } = (await findAccount(target, gwen)) ?? {}
      await admin(target, 'PUT', `/users/${id}`, { enabled: false })
      const page = await throughGoogle(target, gwen)
      expect(page.location).toBeNull()
      await forget(target, gwen)
    },
  },
  {
    name: 'the hosted page offers Google too',
    run: async (target) => {
      await forget(target, gwen)
      const browser = createBrowser(target.issuer)
      const verifier = newVerifier()
      const login = await browser.visit(authUrl(target, verifier))
      const page = await signInAtGoogle(browser, await browser.follow(login, 'social-google'), gwen)
      expect((await tokensFor(target, page, verifier)).claims).toMatchObject({ identity_provider: 'google' })
    },
  },
  {
    name: 'a sign-in that Google refuses, or that was cancelled there, signs nobody in',
    run: async (target) => {
      await forget(target, gwen)
      const browser = createBrowser(target.issuer)
      const google = target.issuer.replace(/[^/]+$/, 'google-offline')
      const start = await browser.visit(authUrl(target, newVerifier(), { kc_idp_hint: 'google' }), {}, google)
      const state = new URL(start.location ?? '').searchParams.get('state') ?? ''
      const refusal = new URLSearchParams({ error: 'access_denied', state, iss: google })
      const page = await browser.visit(`${target.issuer}/broker/google/endpoint?${refusal}`)
      // Keycloak shows its own sign-in page, the stand-in tells the client.
      if (page.location === null) expect(page.text).toContain('name="password"')
      else expect(backAtClient(target, page).get('error')).toBe('access_denied')
      expect(await findAccount(target, gwen)).toBeUndefined()
    },
  },
  {
    name: 'the answer of Google is no use in another browser, and only once in its own',
    run: async (target) => {
      await forget(target, gwen)
      const browser = createBrowser(target.issuer)
      const atGoogle = await startWithGoogle(target, browser, newVerifier())
      const answer = (await signInAtGoogle(browser, atGoogle, gwen, '/broker/google/endpoint')).location ?? ''
      expect(answer).toContain('code=')
      const elsewhere = await createBrowser(target.issuer).visit(answer)
      expect(elsewhere.location).toBeNull()
      expect(await findAccount(target, gwen)).toBeUndefined()
      backAtClient(target, await browser.visit(answer))
      const again = await browser.visit(answer)
      expect(new URL(again.location ?? target.publicOrigin).searchParams.get('code')).toBeNull()
    },
  },
]
