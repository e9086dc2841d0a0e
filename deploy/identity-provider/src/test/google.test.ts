import { createBrowser, type Page } from '@parley/service-kit/testing/provider-browser'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { accountBody, admin, signIn, userinfo } from './contract/calls.ts'
import { authUrl, backAtClient, newVerifier } from './contract/code-flow.ts'
import {
  askForMail,
  findAccount,
  forget,
  gwen,
  identitiesOf,
  mallory,
  signInAtGoogle,
  startWithGoogle,
  throughGoogle,
  tokensFor,
} from './contract/google.ts'
import { linkIn, mailsTo, mailTo } from './contract/mails.ts'
import type { ContractTarget } from './contract/target.ts'
import { launchStandIn, type StandIn } from './stand-in.ts'

/** Covers what is true of the stand-in's Google only: its chooser, its pages, what they refuse. */
let provider: StandIn['provider']
let target: ContractTarget

beforeAll(async () => {
  const standIn = await launchStandIn()
  provider = standIn.provider
  target = standIn.target
})

afterAll(async () => {
  await provider.stop()
})

beforeEach(async () => {
  await forget(target, gwen)
  await forget(target, mallory)
})

const existing = (email: string, more: Record<string, unknown> = {}) =>
  admin(target, 'POST', '/users', accountBody(email, more))

const pathOf = (page: Page) => new URL(page.url).pathname

test('Google is chosen with one click, and says that nothing of it is real', async () => {
  const browser = createBrowser(target.issuer)
  const verifier = newVerifier()
  const page = await startWithGoogle(target, browser, verifier)
  expect(page.text).toContain('<title>Sign in with Google (offline)')
  expect(page.text).toContain('These people are made up')
  expect(page.text).toContain('offline-google')
  const { claims } = await tokensFor(target, await browser.submit(page, { account: gwen }), verifier)
  expect(claims).toMatchObject({ email: gwen, identity_provider: 'google' })
})

test('no account but the shown ones is opened by a click', async () => {
  const browser = createBrowser(target.issuer)
  const start = await startWithGoogle(target, browser, newVerifier())
  const page = await browser.submit(start, { account: 'other@gmail.test' })
  expect(page.location).toBeNull()
  expect(page.text).toContain('Invalid email or password')
  const parley = createBrowser(target.issuer)
  const account = await existing(gwen)
  expect(account.status).toBe(201)
  const login = await parley.visit(authUrl(target, newVerifier()))
  expect((await parley.submit(login, { account: gwen })).location).toBeNull()
})

test('cancelling at Google tells the client, or leads back to the page that offered it', async () => {
  const hinted = createBrowser(target.issuer)
  const page = await hinted.submit(await startWithGoogle(target, hinted, newVerifier()), { cancel: 'yes' })
  const answer = backAtClient(target, page)
  expect([answer.get('error'), answer.get('state')]).toEqual(['access_denied', 'state-1'])
  const offered = createBrowser(target.issuer)
  const atGoogle = await offered.follow(await offered.visit(authUrl(target, newVerifier())), 'social-google')
  const back = await offered.submit(atGoogle, { cancel: 'yes' })
  expect(back.text).toContain('The sign-in with Google was cancelled.')
  expect(back.text).toContain('name="password"')
})

test('a hint that names no provider shows the sign-in page', async () => {
  const page = await createBrowser(target.issuer).visit(authUrl(target, newVerifier(), { kc_idp_hint: 'nobody' }))
  expect(page.text).toContain('Continue with Google')
})

test('Google’s answer cannot be slipped into another person’s browser, nor fetched for one’s own', async () => {
  const attacker = createBrowser(target.issuer)
  const victim = createBrowser(target.issuer)
  const atGoogle = await startWithGoogle(target, attacker, newVerifier())
  // The victim signs in at Google on the attacker's page and is sent to the attacker's sign-in.
  const page = await signInAtGoogle(victim, await victim.visit(atGoogle.url), gwen)
  expect(page.status).toBe(400)
  expect(await findAccount(target, gwen)).toBeUndefined()
})

test('an address that Google has not verified makes an unverified account, and is refused where one exists', async () => {
  const verifier = newVerifier()
  const { tokens } = await tokensFor(target, await throughGoogle(target, mallory, { verifier }), verifier)
  expect((await userinfo(target, tokens.access_token)).body).toMatchObject({ email: mallory, email_verified: false })
  await forget(target, mallory)
  await existing(mallory, { emailVerified: true })
  const browser = createBrowser(target.issuer)
  const page = await throughGoogle(target, mallory, { browser })
  expect([page.status, page.location]).toEqual([403, null])
  expect(page.text).toContain('has not verified')
  expect(page.text).not.toContain('name="password"')
  expect(backAtClient(target, await browser.proceed(page)).get('error')).toBe('access_denied')
})

test('a link names a person, not an address: it stays when the address goes to another account', async () => {
  await throughGoogle(target, gwen)
  const account = await findAccount(target, gwen)
  await admin(target, 'PUT', `/users/${account?.id}`, { email: mallory, emailVerified: true })
  await existing(gwen)
  const page = await throughGoogle(target, gwen)
  const { body } = await admin(target, 'GET', `/users/${account?.id}/federated-identity`)
  expect(body).toHaveLength(1)
  expect(backAtClient(target, page).get('code')).not.toBeNull()
  await forget(target, mallory)
})

test('a photo that changed at Google is taken over, a name that the account has is kept', async () => {
  await throughGoogle(target, gwen)
  const { id = '' } = (await findAccount(target, gwen)) ?? {}
  const own = { email: gwen, firstName: 'Own', lastName: 'Name' }
  await admin(target, 'PUT', `/users/${id}`, { ...own, attributes: { picture: ['https://photos.example/old.png'] } })
  const verifier = newVerifier()
  const { claims } = await tokensFor(target, await throughGoogle(target, gwen, { verifier }), verifier)
  expect(claims).toMatchObject({ given_name: 'Own', picture: expect.stringContaining('googleusercontent.com') })
})

test('the linking page names the account and can be left', async () => {
  await existing(gwen, { emailVerified: true })
  const browser = createBrowser(target.issuer)
  const page = await throughGoogle(target, gwen, { browser })
  expect(page.text).toContain('Link your Google account')
  expect(page.text).toContain(gwen)
  const cancel = await browser.visit(new URL(pathOf(page).replace(/link$/, 'cancel'), page.url).href, {
    method: 'POST',
    body: new URLSearchParams(),
  })
  expect(backAtClient(target, cancel).get('error')).toBe('access_denied')
})

test('an account without a proven address is offered the mail only', async () => {
  await existing(gwen)
  const page = await throughGoogle(target, gwen)
  expect(page.text).not.toContain('name="password"')
  expect(page.text).toContain('name="mail"')
})

test('the mailed link may be opened elsewhere: it acts on its button, once, and the waiting window goes on', async () => {
  await existing(gwen)
  const account = await findAccount(target, gwen)
  const already = (await mailsTo(target, gwen, 'Link Google')).length
  const browser = createBrowser(target.issuer)
  const verifier = newVerifier()
  const waiting = await askForMail(browser, await throughGoogle(target, gwen, { browser, verifier }))
  expect(waiting.text).toContain('A mail is on its way')
  const link = linkIn(await mailTo(target, gwen, 'Link Google', already))
  const elsewhere = createBrowser(target.issuer)
  const confirm = await elsewhere.visit(link)
  expect(confirm.text.match(/<button\b/g)).toHaveLength(1)
  expect((await browser.visit(waiting.url)).text).toContain('Link your Google account')
  const confirmed = await elsewhere.proceed(confirm)
  expect(confirmed.text).toContain('Continue in this window')
  // The other browser has confirmed, and that is all: only the waiting one is signed in.
  expect((await elsewhere.proceed(confirmed)).status).toBe(400)
  expect((await elsewhere.visit(link)).status).toBe(400)
  expect(await identitiesOf(target, account?.id ?? '')).toEqual([])
  const { claims } = await tokensFor(target, await browser.visit(waiting.url), verifier)
  expect(claims).toMatchObject({ sub: account?.id, email_verified: true })
})

test('a password on the linking page counts as a failure of the account', async () => {
  await existing(gwen, { emailVerified: true })
  const account = await findAccount(target, gwen)
  const browser = createBrowser(target.issuer)
  const page = await throughGoogle(target, gwen, { browser })
  const wrong = await browser.submit(page, { password: 'not-it-1' })
  expect(wrong.text).toContain('That is not the password of this account.')
  const { body } = await admin(target, 'GET', `/attack-detection/brute-force/users/${account?.id}`)
  expect(body).toMatchObject({ numFailures: 1 })
})

test('links to Google survive a kill, and so do the made-up accounts', async () => {
  await throughGoogle(target, gwen)
  const before = await findAccount(target, gwen)
  await provider.kill('SIGKILL')
  await provider.start()
  const verifier = newVerifier()
  const { claims } = await tokensFor(target, await throughGoogle(target, gwen, { verifier }), verifier)
  expect(claims.sub).toBe(before?.id)
})

test('the realm that plays Google has no admin calls and no password grant', async () => {
  const google = { ...target, issuer: target.issuer.replace(/parley$/, 'google-offline') }
  await expect(signIn(google, { id: '', email: gwen, password: 'offline-google' })).rejects.toThrow(/40[01]/)
  const url = `${provider.origin}/admin/realms/google-offline/users`
  expect((await fetch(url)).status).toBe(401)
  expect((await admin(target, 'GET', '/../google-offline/users')).status).toBe(403)
})
