import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFlowBrowser, type Page } from '../flow.ts'
import { linkFrom, mailsTo } from '../mailbox.ts'
import { findAccount, forgetAccount } from '../provider-admin.ts'
import { type Bff, startBff } from '../start-bff.ts'

/** The made-up people of the realm that plays Google; the last one's address is not verified there. */
const [gwen, bob, mallory] = ['gwen@gmail.test', 'bob@gmail.test', 'mallory@gmail.test'] as const
const guessed = 'squatter-1'
let bff: Bff
beforeAll(async () => {
  // Google's test people are few, and a repeated run continues their count.
  bff = await startBff({ LIMIT_SIGN_IN_FAILURES_PER_EMAIL_AND_IP: '1000' })
})
beforeEach(async () => {
  for (const email of [gwen, bob, mallory]) await forgetAccount(email)
})
afterAll(() => bff.stop())

type FlowBrowser = ReturnType<typeof createFlowBrowser>

/** Goes to Google as one of its people and comes back: to the callback, or to a page that wants to know more. */
async function throughGoogle(email: string, flowBrowser = createFlowBrowser(bff)) {
  const start = await flowBrowser.authorize({ provider: 'google' })
  const atGoogle = await flowBrowser.pageAfter(start.url, start.response)
  const page = await flowBrowser.submit(atGoogle, { username: email, password: 'offline-google' })
  return { flowBrowser, start, page }
}

/** Arrives at the app. @returns the session as the page sees it. */
async function comeHome(flowBrowser: FlowBrowser, page: Page): Promise<unknown> {
  expect(page.url.pathname).toBe('/auth/callback')
  const handler = await flowBrowser.arrive(page.url)
  expect(handler.searchParams.get('error')).toBeNull()
  return flowBrowser.session()
}

const call = async (flowBrowser: FlowBrowser, path: string): Promise<unknown> =>
  (
    await flowBrowser.request(new URL(path, bff.config.PUBLIC_ORIGIN), { headers: { 'sec-fetch-site': 'same-origin' } })
  ).json()

/** Signs up another person with the victim's address, and types a profile. */
async function squatter(email: string) {
  const browser = bff.browser()
  expect((await browser.signUp(email, guessed)).status).toBe(201)
  const typed = { firstName: 'Eve', lastName: 'Squatter', address: 'Evil Street 1', mobile: '+4915112345678' }
  const answer = await browser.send('PATCH', '/api/auth/profile', {
    headers: { 'content-type': 'application/json', ...(await browser.bearer()) },
    body: JSON.stringify(typed),
  })
  expect(answer.status).toBe(200)
  return browser
}

test('a sign-in with Google starts a session of a verified account without a password', async () => {
  const { flowBrowser, page } = await throughGoogle(gwen)
  expect(await comeHome(flowBrowser, page)).toMatchObject({
    authenticated: true,
    claims: { email: gwen, email_verified: true, identity_provider: 'google' },
  })
  expect((await bff.browser().signIn(gwen, guessed)).status).toBe(400)
})

describe('who signed up with somebody else’s address before its owner came through Google', () => {
  test('loses password, sessions and profile once the owner has proven the address', async () => {
    const attacker = await squatter(gwen)
    const already = (await mailsTo(gwen)).filter(({ subject }) => subject === 'Link Google').length
    const { flowBrowser, page } = await throughGoogle(gwen)
    expect(page.url.pathname).not.toBe('/auth/callback')
    // Keycloak has sent the mail already.
    if (page.html.includes('name="mail"')) await flowBrowser.submit(page, { mail: 'yes' })
    const mailed = await flowBrowser.visit(new URL(await linkFrom(gwen, 'Link Google', already)))
    let next = mailed
    for (let step = 0; step < 3 && next.url.pathname !== '/auth/callback'; step++)
      next = await flowBrowser.proceed(next)
    expect(await comeHome(flowBrowser, next)).toMatchObject({ authenticated: true, claims: { email: gwen } })

    expect(await attacker.session()).toEqual({ authenticated: false })
    expect((await attacker.send('GET', '/api/auth/user')).status).toBe(401)
    expect((await bff.browser().signIn(gwen, guessed)).status).toBe(400)
    const user = await call(flowBrowser, '/api/auth/user')
    expect(user).toMatchObject({ email: gwen })
    expect(JSON.stringify(user)).not.toMatch(/Eve|Squatter|Evil Street|15112345678/)
    expect(await flowBrowser.session()).toMatchObject({ authenticated: true })
  })

  test('keeps out the owner’s Google account until then, and gets nothing by it', async () => {
    const attacker = await squatter(bob)
    const { flowBrowser, page } = await throughGoogle(bob)
    expect(page.url.pathname).not.toBe('/auth/callback')
    expect(await flowBrowser.session()).toEqual({ authenticated: false })
    expect(await attacker.session()).toMatchObject({ authenticated: true, claims: { email_verified: false } })
  })
})

test('an address that Google has not verified opens nobody’s account', async () => {
  const owner = await squatter(mallory)
  const before = await findAccount(mallory)
  const { flowBrowser, page } = await throughGoogle(mallory)
  expect(page.url.pathname).not.toBe('/auth/callback')
  expect(await flowBrowser.session()).toEqual({ authenticated: false })
  expect((await findAccount(mallory))?.id).toBe(before?.id)
  expect(await owner.session()).toMatchObject({ authenticated: true })
})

describe('two people one after the other in one browser are never taken for each other:', () => {
  test('the second signs in once the first has signed out', async () => {
    const { flowBrowser, page } = await throughGoogle(gwen)
    expect(await comeHome(flowBrowser, page)).toMatchObject({ claims: { email: gwen } })
    await flowBrowser.signOut()
    const signedOutAt = Math.floor(Date.now() / 1000)
    flowBrowser.forgetCookies('/realms/google-offline/')
    // Times of issue are whole seconds: a token of the same one might have been issued before the sign-out.
    await vi.waitFor(() => expect(Math.floor(Date.now() / 1000)).toBeGreaterThan(signedOutAt))
    const second = await throughGoogle(bob, flowBrowser)
    expect(await comeHome(flowBrowser, second.page)).toMatchObject({ claims: { email: bob } })
    await vi.waitFor(async () => expect(await call(flowBrowser, '/api/auth/user')).toMatchObject({ email: bob }))
  })

  test('until then the second is refused, and the first stays who it is', async () => {
    const { flowBrowser, page } = await throughGoogle(gwen)
    await comeHome(flowBrowser, page)
    flowBrowser.forgetCookies('/realms/google-offline/')
    const second = await throughGoogle(bob, flowBrowser)
    expect(second.page.url.pathname).not.toBe('/auth/callback')
    expect(await flowBrowser.session()).toMatchObject({ authenticated: true, claims: { email: gwen } })
  })
})
