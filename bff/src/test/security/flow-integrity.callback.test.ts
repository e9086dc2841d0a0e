import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hashToken } from '../../session/session-cipher.ts'
import { type CodeFlow, createFlowBrowser, startCodeFlow } from '../flow.ts'
import { browserOf } from '../issued-session.ts'
import { startProviderGate } from '../provider-gate.ts'
import { forThisTest } from '../running.ts'
import { startBff } from '../start-bff.ts'

let flow: CodeFlow
beforeAll(async () => {
  flow = await startCodeFlow()
})
afterAll(() => flow.bff.stop())

describe('the callback', () => {
  test('without its cookie starts no session', async () => {
    const flowBrowser = createFlowBrowser(flow.bff)
    const callback = await flowBrowser.logIn(await flowBrowser.authorize(), flow.credentials)
    const stranger = createFlowBrowser(flow.bff)
    const handler = await stranger.arrive(callback)
    expect(handler.searchParams.get('error')).toBe('invalid_auth_event')
    expect(await stranger.session()).toEqual({ authenticated: false })
  })

  test('with another transaction’s cookie starts no session', async () => {
    const victim = createFlowBrowser(flow.bff)
    const callback = await victim.logIn(await victim.authorize(), flow.credentials)
    const attacker = createFlowBrowser(flow.bff)
    await attacker.authorize()
    expect((await attacker.arrive(callback)).searchParams.get('error')).toBe('invalid_auth_event')
    expect(await attacker.session()).toEqual({ authenticated: false })
  })

  test.each([
    ['wrong', (url: URL) => url.searchParams.set('state', 'x'.repeat(43))],
    ['missing', (url: URL) => url.searchParams.delete('state')],
    ['doubled', (url: URL) => url.searchParams.append('state', 'second')],
  ])('with a %s state starts no session', async (_what, spoil) => {
    const flowBrowser = createFlowBrowser(flow.bff)
    const callback = await flowBrowser.logIn(await flowBrowser.authorize(), flow.credentials)
    spoil(callback)
    expect((await flowBrowser.arrive(callback)).searchParams.get('error')).toBe('invalid_auth_event')
    expect(await flowBrowser.session()).toEqual({ authenticated: false })
  })

  test('called twice fails the second time and leaves the session of the first', async () => {
    const { flowBrowser, callback } = await flow.signedIn()
    expect((await flowBrowser.arrive(callback)).searchParams.get('error')).toBe('invalid_auth_event')
    expect(await flowBrowser.session()).toMatchObject({ authenticated: true })
  })

  test.each([
    ['another', (url: URL) => url.searchParams.set('iss', 'https://evil.example/realms/parley')],
    ['no', (url: URL) => url.searchParams.delete('iss')],
  ])('naming %s issuer starts no session', async (_what, spoil) => {
    const flowBrowser = createFlowBrowser(flow.bff)
    const callback = await flowBrowser.logIn(await flowBrowser.authorize(), flow.credentials)
    spoil(callback)
    const handler = await flowBrowser.arrive(callback)
    expect(handler.searchParams.get('code')).toBeNull()
    expect(handler.searchParams.get('error')).toMatch(/server_error|temporarily_unavailable/)
    expect(await flowBrowser.session()).toEqual({ authenticated: false })
  })

  test('called twice at the same moment gives one session', async () => {
    const flowBrowser = createFlowBrowser(flow.bff)
    const callback = await flowBrowser.logIn(await flowBrowser.authorize(), flow.credentials)
    const handlers = await Promise.all([flowBrowser.arrive(callback), flowBrowser.arrive(callback)])
    expect(handlers.map((url) => url.searchParams.get('error')).sort()).toEqual(['invalid_auth_event', null])
  })

  test('with an error of the provider starts no session and tells the page so', async () => {
    const flowBrowser = createFlowBrowser(flow.bff)
    const { response, state } = await flowBrowser.authorize()
    const callback = new URL('/auth/callback', flow.bff.config.PUBLIC_ORIGIN)
    const sent = new URL(response.headers.get('location') ?? '').searchParams.get('state') ?? ''
    callback.search = String(
      new URLSearchParams({ error: '<b>evil</b>', error_description: 'https://evil.example', state: sent }),
    )
    const handler = await flowBrowser.arrive(callback)
    expect(Object.fromEntries(handler.searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'access_denied',
      state,
    })
    expect(await flowBrowser.session()).toEqual({ authenticated: false })
  })

  test('with a code of another sign-in starts no session: PKCE and nonce differ', async () => {
    const one = createFlowBrowser(flow.bff)
    const other = createFlowBrowser(flow.bff)
    const mine = await one.logIn(await one.authorize(), flow.credentials)
    const theirs = await other.logIn(await other.authorize(), flow.credentials)
    mine.searchParams.set('code', theirs.searchParams.get('code') ?? '')
    expect((await one.arrive(mine)).searchParams.get('error')).not.toBeNull()
    expect(await one.session()).toEqual({ authenticated: false })
  })

  test('replaces the browser’s earlier session, and leaves the one at the provider, in which it goes on', async () => {
    const gate = await forThisTest(startProviderGate())
    const on = await forThisTest(startBff({ OIDC_INTERNAL_ISSUER: gate.url }))
    const flowBrowser = createFlowBrowser(on)
    const first = await flowBrowser.logIn(await flowBrowser.authorize(), flow.credentials)
    await flowBrowser.arrive(first)
    const before = new Map(flowBrowser.appCookies())
    const second = await flowBrowser.logIn(await flowBrowser.authorize(), flow.credentials)
    await flowBrowser.arrive(second)
    const { cookie, store } = on.dependencies
    expect(await browserOf(on, before.get(cookie.name) ?? '').session()).toEqual({ authenticated: false })
    const live = await store.load(flowBrowser.appCookies().get(cookie.name) ?? '')
    if (!live) throw new Error('no session')
    await store.replace(live, { ...live.hot, tokenExpiresAt: 1 })
    expect(await flowBrowser.session()).toMatchObject({ authenticated: true })
    expect(gate.grants).toContain('refresh_token')
    expect(gate.calls).not.toContain('logout')
  })
})

describe('the façade’s code', () => {
  test('is good for the session it was made for only', async () => {
    const { start, code } = await flow.signedIn()
    const other = await flow.signedIn()
    const answer = await other.flowBrowser.redeem(code, start.verifier)
    expect(answer.status).toBe(400)
  })

  test.each([
    ['another verifier', { code_verifier: 'v'.repeat(43) }],
    ['another redirect URI', { redirect_uri: 'http://localhost/elsewhere' }],
    ['another client', { client_id: 'other' }],
  ])('is refused with %s, and spent', async (_what, overrides) => {
    const { flowBrowser, start, code } = await flow.signedIn()
    expect((await flowBrowser.redeem(code, start.verifier, overrides)).status).toBe(400)
    const spent = 'client_id' in overrides ? 200 : 400
    expect((await flowBrowser.redeem(code, start.verifier)).status).toBe(spent)
  })

  test('is refused without the session', async () => {
    const { start, code } = await flow.signedIn()
    expect((await createFlowBrowser(flow.bff).redeem(code, start.verifier)).status).toBe(400)
  })

  test('is refused when it comes late', async () => {
    const { flowBrowser, start, code } = await flow.signedIn()
    await flow.bff.dependencies.redis.pexpire(`code:${hashToken(code)}`, 1)
    await vi.waitFor(async () => expect(await flow.bff.dependencies.redis.exists(`code:${hashToken(code)}`)).toBe(0))
    expect((await flowBrowser.redeem(code, start.verifier)).status).toBe(400)
  })

  test('sent twice at the same moment is good once', async () => {
    const { flowBrowser, start, code } = await flow.signedIn()
    const answers = await Promise.all([
      flowBrowser.redeem(code, start.verifier),
      flowBrowser.redeem(code, start.verifier),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  test.each([
    ['without a verifier', { code_verifier: '' }],
    ['with a verifier that is too short', { code_verifier: 'v'.repeat(42) }],
    ['with the challenge as the verifier', undefined],
  ])('is refused %s', async (_what, overrides) => {
    const { flowBrowser, start, code } = await flow.signedIn()
    const challenge = start.url.searchParams.get('code_challenge') ?? ''
    expect((await flowBrowser.redeem(code, start.verifier, overrides ?? { code_verifier: challenge })).status).toBe(400)
  })

  test('does not live longer than a minute', async () => {
    const { code } = await flow.signedIn()
    const { redis } = flow.bff.dependencies
    const keys = await redis.keys('code:*')
    const lives = await Promise.all(keys.map((key) => redis.ttl(key)))
    expect(Math.max(...lives)).toBeLessThanOrEqual(60)
    expect(keys.join()).not.toContain(code)
  })
})
