import { describe, expect, test } from 'vitest'
import {
  admin,
  authUrl,
  backAtClient,
  claimsOf,
  codeFor,
  exchange,
  expectEnded,
  findAccount,
  grant,
  logIn,
  logout,
  newAccount,
  newBrowser,
  newVerifier,
  redirectUri,
  tokensAt,
  tokensIn,
  typed,
  userinfo,
  webClient,
} from './calls.ts'
import { target } from './target.ts'

const signInHere = async (account: Awaited<ReturnType<typeof newAccount>>, browser = newBrowser()) => {
  const verifier = newVerifier()
  return tokensIn(await exchange(await codeFor(account, verifier, browser), verifier))
}

describe('code flow', () => {
  test('it ends with tokens that carry nonce, session and time of sign-in', async () => {
    const account = await newAccount()
    const tokens = await signInHere(account)
    expect(await claimsOf(tokens)).toMatchObject({
      ...{ sub: account.id, aud: 'bff-web', typ: 'ID', nonce: 'nonce-1', email: account.email },
      ...{ sid: expect.any(String), auth_time: expect.any(Number) },
    })
    expect((await userinfo(tokens.access_token)).body).toMatchObject({ sub: account.id })
  })

  test('a wrong password stays on the page', async () => {
    const page = await logIn({ ...(await newAccount()), password: 'not-it-1' })
    expect(page.location).toBeNull()
    expect(page.text).toContain('name="password"')
  })

  test('a code used twice is refused and its session dies', async () => {
    const verifier = newVerifier()
    const code = await codeFor(await newAccount(), verifier)
    const tokens = tokensIn(await exchange(code, verifier))
    expect(await exchange(code, verifier)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    await expectEnded(tokens, webClient())
  })

  test('a code needs its own verifier', async () => {
    const code = await codeFor(await newAccount(), newVerifier())
    expect(await exchange(code, newVerifier())).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test.each([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
    ['with the plain method', { code_challenge_method: 'plain' }],
  ])('%s the client hears of an invalid request', async (_what, change) => {
    const query = backAtClient(await newBrowser().visit(authUrl(newVerifier(), change)))
    expect([query.get('error'), query.get('state')]).toEqual(['invalid_request', 'state-1'])
  })

  test('an unregistered redirect address gets a page, never a redirect', async () => {
    for (const uri of ['https://evil.example/auth/callback', `${redirectUri()}/more`, `${target().publicOrigin}/`]) {
      const page = await newBrowser().visit(authUrl(newVerifier(), { redirect_uri: uri }))
      expect([page.status, page.location]).toEqual([400, null])
    }
  })

  test('who signs in again in the same browser is asked, and goes on in the same session', async () => {
    const browser = newBrowser()
    const account = await newAccount()
    const [first, second] = [await signInHere(account, browser), await signInHere(account, browser)]
    expect((await claimsOf(second))['sid']).toBe((await claimsOf(first))['sid'])
    expect((await logout(first.refresh_token, webClient())).status).toBe(204)
    for (const tokens of [first, second]) await expectEnded(tokens, webClient())
  })

  test('another person is refused in the same browser until the first has signed out', async () => {
    const browser = newBrowser()
    const [first, second] = [await newAccount(), await newAccount()]
    const tokens = await signInHere(first, browser)
    const page = await logIn(second, newVerifier(), browser)
    expect([page.status, page.location]).toEqual([400, null])
    expect((await userinfo(tokens.access_token)).status).toBe(200)
    expect((await logout(tokens.refresh_token, webClient())).status).toBe(204)
    expect((await claimsOf(await signInHere(second, browser))).sub).toBe(second.id)
  })

  test('an account that must choose a new password is asked for it on the hosted page and then signed in', async () => {
    const account = await newAccount()
    await admin('PUT', `/users/${account.id}`, { requiredActions: ['UPDATE_PASSWORD'] })
    const browser = newBrowser()
    const verifier = newVerifier()
    const form = await logIn(account, verifier, browser)
    const differ = await browser.submit(form, typed('brand-new-1', 'brand-new-2'))
    const short = await browser.submit(differ, typed('12345'))
    for (const page of [form, differ, short])
      expect([page.location, page.text.includes('password-new')]).toEqual([null, true])
    expect(await findAccount(account.email)).toMatchObject({ requiredActions: ['UPDATE_PASSWORD'] })
    const tokens = await tokensAt(await browser.submit(short, typed('brand-new-1')), verifier)
    expect((await claimsOf(tokens)).sub).toBe(account.id)
    expect(await findAccount(account.email)).toMatchObject({ requiredActions: [], emailVerified: false })
    expect((await grant(account.email, 'brand-new-1')).status).toBe(200)
    expect((await grant(account.email, account.password)).status).toBe(400)
  })
})
