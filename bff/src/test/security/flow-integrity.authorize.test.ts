import { errorBodySchema } from '@parley/contracts/core/errors'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CodeFlow, createFlowBrowser, startCodeFlow } from '../flow.ts'
import { forThisTest } from '../running.ts'
import { startBff } from '../start-bff.ts'

let flow: CodeFlow
beforeAll(async () => {
  flow = await startCodeFlow()
})
afterAll(() => flow.bff.stop())

describe('the authorization endpoint', () => {
  test.each([
    ['another origin', 'https://evil.example/auth/handler'],
    ['a look-alike', 'http://localhost.evil.example/auth/handler'],
    ['another path', 'ORIGIN/auth/handler/x'],
    ['a query', 'ORIGIN/auth/handler?x=1'],
    ['a fragment', 'ORIGIN/auth/handler#x'],
    ['user info', 'http://localhost@evil.example/auth/handler'],
    ['a protocol-relative one', '//evil.example/auth/handler'],
    ['a backslash', 'ORIGIN\\@evil.example'],
    ['a script', 'javascript:alert(1)'],
    ['a tab', 'ORIGIN/auth/han\tdler'],
  ])('never redirects to a redirect URI that is %s', async (_what, template) => {
    const flowBrowser = createFlowBrowser(flow.bff)
    const { response } = await flowBrowser.authorize({
      redirect_uri: template.replace('ORIGIN', flow.bff.config.PUBLIC_ORIGIN),
    })
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
    expect(response.headers.getSetCookie()).toEqual([])
    expect(errorBodySchema.parse(await response.json()).code).toBe('invalid_redirect')
  })

  test.each([
    ['another client', { client_id: 'other' }],
    ['no PKCE', { code_challenge: '' }],
    ['plain PKCE', { code_challenge_method: 'plain' }],
    ['the implicit flow', { response_type: 'token' }],
    ['an unknown provider', { provider: 'evil' }],
    ['no state', { state: '' }],
  ])('refuses %s on the spot', async (_what, params) => {
    const { response } = await createFlowBrowser(flow.bff).authorize(params)
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
  })

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
  ])('cannot be entered from %s', async (_what, headers) => {
    const { response } = await createFlowBrowser(flow.bff).authorize({}, headers)
    expect(response.status).toBe(400)
  })

  test('sends the browser to the provider with PKCE, state and nonce, whatever Host says', async () => {
    const { response } = await createFlowBrowser(flow.bff).authorize(
      { provider: 'google' },
      { 'x-forwarded-host': 'evil.example' },
    )
    expect(response.status).toBe(303)
    const url = new URL(response.headers.get('location') ?? '')
    expect(url.href).toMatch(new RegExp(`^${inject('stack').urls.identity}/protocol/openid-connect/auth`))
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'bff-web',
      redirect_uri: `${flow.bff.config.PUBLIC_ORIGIN}/auth/callback`,
      code_challenge_method: 'S256',
      kc_idp_hint: 'google',
      nonce: expect.any(String),
      state: expect.any(String),
    })
  })

  test('keeps at most five sign-ins under way, and two tabs do not disturb each other', async () => {
    const flowBrowser = createFlowBrowser(flow.bff)
    const first = await flowBrowser.authorize()
    const second = await flowBrowser.authorize()
    const callbacks = [
      await flowBrowser.logIn(first, flow.credentials),
      await flowBrowser.logIn(second, flow.credentials),
    ]
    for (const callback of callbacks)
      expect((await flowBrowser.arrive(callback)).searchParams.get('code')).not.toBeNull()
    for (let started = 0; started < 8; started++) await flowBrowser.authorize()
    const cookies = [...flowBrowser.appCookies()].filter(([name]) => name.startsWith('tx-'))
    expect(cookies).toHaveLength(5)
    expect(cookies.join('; ').length).toBeLessThan(8192)
  })

  test('gives each sign-in a cookie of its own that scripts cannot read, for ten minutes', async () => {
    const { response } = await createFlowBrowser(flow.bff).authorize()
    const [line = ''] = response.headers.getSetCookie()
    expect(line).toMatch(/^tx-\d+-[\w-]{8}=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
    const secure = await forThisTest(startBff({ PUBLIC_ORIGIN: 'https://app.parley.test' }))
    const [strict = ''] = (await createFlowBrowser(secure).authorize()).response.headers.getSetCookie()
    expect(strict).toMatch(/^__Host-tx-[\w-]{8}=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
  })

  test('a domain that is not authorized gets no further', async () => {
    const elsewhere = await forThisTest(startBff({ AUTHORIZED_DOMAINS: 'example.com' }))
    const { response } = await createFlowBrowser(elsewhere).authorize()
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toMatch(/^\/auth\/handler\?error=unauthorized_domain/)
  })
})
