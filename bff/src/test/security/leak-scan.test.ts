import { randomUUID } from 'node:crypto'
import { useMailLink } from '@parley/service-kit/testing/provider-browser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createFlowBrowser } from '../flow.ts'
import { linkFrom, newAddress } from '../mailbox.ts'
import { startProviderGate } from '../provider-gate.ts'
import { type RecordedAnswer, recordAnswersOf } from '../recording.ts'
import { redisDump } from '../redis-dump.ts'
import { type Bff, startBff } from '../start-bff.ts'

let gate: Awaited<ReturnType<typeof startProviderGate>>
let bff: Bff
beforeAll(async () => {
  gate = await startProviderGate()
  bff = await startBff({ OIDC_INTERNAL_ISSUER: gate.url, LOG_LEVEL: 'debug' })
})
afterAll(() => Promise.all([bff.stop(), gate.stop()]))

const json = { 'content-type': 'application/json' }
const jwt = /eyJ[\w-]+\.eyJ[\w-]+\.[\w-]*/g
const withIdToken = z.object({ id_token: z.string() })
/** The only answers in which an ID token may appear. */
const mayHoldIdToken = ({ path, method }: RecordedAnswer) =>
  (method === 'POST' && path === '/auth/token') || (method === 'GET' && path === '/auth/session')

/** Does everything that a person does from sign-up to sign-out, with some mistakes. @returns the values that must stay secret. */
async function wholeJourney() {
  const [password, wrong] = [`right ${randomUUID()}`, `wrong ${randomUUID()}`]
  const email = newAddress('journey')
  const browser = bff.browser()
  await browser.signUp(email, password)
  await browser.signUp(email, wrong)
  await bff.browser().signIn(email, wrong)
  await browser.send('POST', '/auth/verification-email')
  await browser.send('POST', '/auth/verification-email')
  await useMailLink(await linkFrom(email, 'Verify email'))
  await browser.send('POST', '/auth/reload')
  await callTheApi(browser)
  await renew(browser.cookie())
  await browser.send('GET', '/auth/session')

  const flowBrowser = createFlowBrowser(bff)
  const start = await flowBrowser.authorize({ login_hint: email })
  const callback = await flowBrowser.logIn(start, { username: email, password })
  const handler = await flowBrowser.arrive(callback)
  const code = handler.searchParams.get('code') ?? ''
  await flowBrowser.redeem(code, start.verifier)
  await flowBrowser.redeem(code, start.verifier)
  await flowBrowser.arrive(callback)
  await flowBrowser.session()
  const stranded = createFlowBrowser(bff)
  const returning = await stranded.logIn(await stranded.authorize(), { username: email, password })
  gate.set('cut')
  await stranded.arrive(returning)
  gate.set('pass')

  await faultsOfTheProvider(email, password)
  await bff.browser().postJson('/auth/password-reset', { email })
  await browser.send('GET', '/auth/sessions')
  const cookies = [browser.cookie(), ...[...flowBrowser.appCookies()].map((pair) => pair.join('='))]
  // All sessions exist now; their remains are checked at the end.
  const stored = await redisDump()
  await browser.send('DELETE', '/auth/sessions?others=1')
  await browser.send('POST', '/auth/sign-out')
  return {
    stored,
    passwords: [password, wrong],
    email,
    cookies: cookies.flatMap((pair) => pair.split('=')[1] || []),
    codes: [code, start.verifier, ...[callback, returning].map((url) => url.searchParams.get('code') ?? '')],
  }
}

async function callTheApi(browser: ReturnType<Bff['browser']>) {
  const bearer = await browser.bearer()
  await browser.send('POST', '/api/auth/sync', { headers: { ...json, ...bearer } })
  await browser.send('GET', '/api/auth/user')
  for (const body of ['{"firstName":"Ann","lastName":"Stone"}', '{"timezone":"Mars"}', '{"firstName":'])
    await browser.send('PATCH', '/api/auth/profile', { headers: { ...json, ...bearer }, body })
  await browser.send('POST', '/api/auth/sync', { headers: { ...json, authorization: `${bearer.authorization}x` } })
  await browser.send('GET', `/api/nothing?token=${bearer.authorization.slice(7)}`)
  await browser.send('POST', '/auth/token-sync', { headers: bearer })
  await browser.send('DELETE', '/auth/sessions/nothing')
  await fetch(`${bff.url}/auth/sign-out`, { method: 'POST', headers: { cookie: browser.cookie() } })
}

/** Lets the session's token end, so that the next look at it renews it. */
async function renew(cookie: string) {
  const { store } = bff.dependencies
  const session = await store.load(cookie.split('=')[1] ?? '')
  if (session) await store.replace(session, { ...session.hot, tokenExpiresAt: 1 })
}

/** The provider fails, and its answers repeat what it was sent. */
async function faultsOfTheProvider(email: string, password: string) {
  const repeated = { error: `bad ${password}`, error_description: `${email} ${password} ${gate.tokens[0]}` }
  for (const answer of [
    { status: 500, body: repeated },
    { status: 400, body: repeated },
    { status: 400, body: { ...repeated, error: 'invalid_grant' } },
    { status: 200, body: { ...repeated, access_token: gate.tokens[0], token_type: 'bearer' } },
    { status: 200, body: `<p>${password} ${gate.tokens[1]}</p>` },
  ]) {
    gate.set(answer)
    await bff.browser().signIn(email, password)
  }
  gate.set('cut')
  await bff.browser().signIn(email, password)
  gate.set('pass')
}

test('nothing that must stay secret is in any answer, URL, log line or Redis, after a whole journey', async () => {
  const answers = recordAnswersOf(bff.url)
  const { passwords, email, cookies, codes, stored } = await wholeJourney()
  const idTokens = answers.flatMap(({ body }) => {
    const parsed = withIdToken.safeParse(body.startsWith('{') ? JSON.parse(body) : undefined)
    return parsed.success ? [parsed.data.id_token] : []
  })
  const { OIDC_WEB_CLIENT_SECRET, OIDC_PASSWORD_CLIENT_SECRET, SESSION_KEYS, INTERNAL_TOKEN_KEYS } = bff.config
  const ownSecrets = [
    ...OIDC_WEB_CLIENT_SECRET,
    ...OIDC_PASSWORD_CLIENT_SECRET,
    ...SESSION_KEYS.map(({ key }) => key.toString('base64')),
    ...INTERNAL_TOKEN_KEYS.map(({ d }) => d),
  ]
  const always = [...gate.tokens, ...ownSecrets, ...passwords]

  // The journey has been what it says.
  expect(answers.length).toBeGreaterThan(30)
  expect(gate.grants).toEqual(expect.arrayContaining(['password', 'authorization_code', 'refresh_token']))
  for (const secrets of [gate.tokens, idTokens, cookies, codes]) expect(secrets.length).toBeGreaterThan(1)
  for (const secret of [...always, ...idTokens, ...cookies, ...codes]) expect(secret.length).toBeGreaterThan(5)

  for (const answer of answers) {
    const where = `${answer.method} ${answer.path.split('?')[0]}`
    for (const secret of always)
      for (const part of [answer.headers, answer.body, ...answer.cookies])
        expect(part.includes(secret), where).toBe(false)
    for (const secret of cookies)
      for (const part of [answer.headers, answer.body]) expect(part.includes(secret), where).toBe(false)
    expect(answer.headers.match(jwt), where).toBeNull()
    expect(answer.cookies.join().match(jwt), where).toBeNull()
    expect(answer.body.match(jwt)?.length ?? 0, where).toBeLessThanOrEqual(mayHoldIdToken(answer) ? 1 : 0)
  }
  const shown = answers.filter(({ headers }) => codes.slice(0, 1).some((code) => headers.includes(code)))
  expect(shown.map(({ path }) => path.split('?')[0])).toEqual(['/auth/callback'])

  const log = bff.log.join('')
  expect(log).toContain('auth.signUp')
  for (const secret of [...always, ...idTokens, ...cookies, ...codes, email]) expect(log.includes(secret)).toBe(false)
  expect(log.match(jwt)).toBeNull()

  expect(stored).toContain('sub:')
  for (const redis of [stored, await redisDump()])
    for (const secret of [...always, ...idTokens, ...cookies, ...codes, email])
      expect(redis.includes(secret)).toBe(false)
})
