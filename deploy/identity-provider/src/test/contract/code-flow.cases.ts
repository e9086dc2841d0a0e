import { createBrowser } from '@parley/service-kit/testing/provider-browser'
import { expect } from 'vitest'
import { newAccount, parseTokens, post, protocolUrl, userinfo, verified } from './calls.ts'
import { authUrl, backAtClient, codeFor, exchange, newVerifier, redirectUri } from './code-flow.ts'
import type { ContractCase } from './target.ts'

export const codeFlowCases: ContractCase[] = [
  {
    name: 'the code flow ends with tokens that carry nonce, session and time of sign-in',
    run: async (target) => {
      const account = await newAccount(target, { firstName: 'Ann', lastName: 'Stone' })
      const verifier = newVerifier()
      const answer = await exchange(target, await codeFor(target, account, verifier), verifier)
      expect(answer.status).toBe(200)
      const tokens = parseTokens(answer)
      const { payload } = await verified(target, tokens.id_token)
      expect(payload).toMatchObject({
        sub: account.id,
        aud: 'bff-web',
        azp: 'bff-web',
        typ: 'ID',
        nonce: 'nonce-1',
        sid: tokens.session_state,
        auth_time: expect.any(Number),
        name: 'Ann Stone',
        given_name: 'Ann',
        family_name: 'Stone',
      })
      expect((await userinfo(target, tokens.access_token)).body).toMatchObject({ sub: account.id })
    },
  },
  {
    name: 'a wrong password stays on the page',
    run: async (target) => {
      const account = await newAccount(target)
      const browser = createBrowser(target.issuer)
      const login = await browser.visit(authUrl(target, newVerifier()))
      const page = await browser.submit(login, { username: account.email, password: 'not-it-1' })
      expect(page.location).toBeNull()
      expect(page.text).toContain('name="password"')
    },
  },
  {
    name: 'a code used twice is refused and its session dies',
    run: async (target) => {
      const verifier = newVerifier()
      const code = await codeFor(target, await newAccount(target), verifier)
      const tokens = parseTokens(await exchange(target, code, verifier))
      const { status, body } = await exchange(target, code, verifier)
      expect([status, body]).toEqual([400, { error: 'invalid_grant', error_description: 'Code not valid' }])
      expect((await userinfo(target, tokens.access_token)).status).toBe(401)
    },
  },
  {
    name: 'a code needs its own verifier',
    run: async (target) => {
      const code = await codeFor(target, await newAccount(target), newVerifier())
      const { status, body } = await exchange(target, code, newVerifier())
      expect([status, body]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })])
    },
  },
  {
    name: 'without PKCE, or with the plain method, the client hears of an invalid request',
    run: async (target) => {
      const changes = [
        { code_challenge: undefined, code_challenge_method: undefined },
        { code_challenge_method: 'plain' },
      ]
      for (const change of changes) {
        const page = await createBrowser(target.issuer).visit(authUrl(target, newVerifier(), change))
        const query = backAtClient(target, page)
        expect([query.get('error'), query.get('state')]).toEqual(['invalid_request', 'state-1'])
      }
    },
  },
  {
    name: 'an unregistered redirect address gets a page, never a redirect',
    run: async (target) => {
      for (const uri of [
        'https://evil.example/auth/callback',
        `${redirectUri(target)}/more`,
        `${target.publicOrigin}/`,
      ]) {
        const page = await createBrowser(target.issuer).visit(authUrl(target, newVerifier(), { redirect_uri: uri }))
        expect([page.status, page.location]).toEqual([400, null])
      }
    },
  },
  {
    name: 'a sign-in without a page is not possible without a session',
    run: async (target) => {
      const page = await createBrowser(target.issuer).visit(authUrl(target, newVerifier(), { prompt: 'none' }))
      expect(backAtClient(target, page).get('error')).toBe('login_required')
    },
  },
  {
    name: 'the next sign-in in the same browser asks again',
    run: async (target) => {
      const browser = createBrowser(target.issuer)
      const verifier = newVerifier()
      const account = await newAccount(target)
      await codeFor(target, account, verifier, browser)
      const again = await browser.visit(authUrl(target, verifier))
      expect([again.status, again.location]).toEqual([200, null])
      expect(again.text).toContain('name="password"')
      const answer = await exchange(target, await codeFor(target, account, verifier, browser), verifier)
      expect(answer.status).toBe(200)
    },
  },
  {
    name: 'who signs in again in the same browser goes on in the same session, which ends for all its tokens',
    run: async (target) => {
      const browser = createBrowser(target.issuer)
      const verifier = newVerifier()
      const account = await newAccount(target)
      const signInHere = async () =>
        parseTokens(await exchange(target, await codeFor(target, account, verifier, browser), verifier))
      const [first, second] = [await signInHere(), await signInHere()]
      expect(second.session_state).toBe(first.session_state)
      expect((await userinfo(target, first.access_token)).status).toBe(200)
      const client = { client_id: 'bff-web', client_secret: target.secrets.web }
      const logout = { ...client, refresh_token: first.refresh_token }
      expect((await post(target, 'logout', logout)).status).toBe(204)
      expect((await userinfo(target, second.access_token)).status).toBe(401)
    },
  },
  {
    name: 'after a sign-out another person signs in in the same browser',
    run: async (target) => {
      const browser = createBrowser(target.issuer)
      const verifier = newVerifier()
      const code = await codeFor(target, await newAccount(target), verifier, browser)
      const { refresh_token } = parseTokens(await exchange(target, code, verifier))
      const client = { client_id: 'bff-web', client_secret: target.secrets.web }
      expect((await post(target, 'logout', { ...client, refresh_token })).status).toBe(204)
      const second = await newAccount(target)
      const answer = await exchange(target, await codeFor(target, second, verifier, browser), verifier)
      expect((await verified(target, parseTokens(answer).id_token)).payload.sub).toBe(second.id)
    },
  },
  {
    name: 'without a sign-out another person is refused in the same browser, and the first stays signed in',
    run: async (target) => {
      const browser = createBrowser(target.issuer)
      const verifier = newVerifier()
      const code = await codeFor(target, await newAccount(target), verifier, browser)
      const tokens = parseTokens(await exchange(target, code, verifier))
      const second = await newAccount(target)
      const login = await browser.visit(authUrl(target, verifier))
      const page = await browser.submit(login, { username: second.email, password: second.password })
      expect([page.status, page.location]).toEqual([400, null])
      expect((await userinfo(target, tokens.access_token)).status).toBe(200)
    },
  },
  {
    name: 'a browser is signed out by its ID token and sent back, and the client hears of it',
    run: async (target) => {
      const verifier = newVerifier()
      const browser = createBrowser(target.issuer)
      const code = await codeFor(target, await newAccount(target), verifier, browser)
      const tokens = parseTokens(await exchange(target, code, verifier))
      const back = new URLSearchParams({
        id_token_hint: tokens.id_token ?? '',
        post_logout_redirect_uri: redirectUri(target),
        state: 'bye',
      })
      const page = await browser.visit(`${protocolUrl(target, 'logout')}?${back}`)
      expect(backAtClient(target, page).get('state')).toBe('bye')
      await target.logouts.wait(tokens.session_state)
      expect((await userinfo(target, tokens.access_token)).status).toBe(401)
    },
  },
]
