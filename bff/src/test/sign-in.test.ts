import type { Endpoint } from '@parley/contracts/core/endpoint'
import { errorBodySchema } from '@parley/contracts/core/errors'
import { endpointsOf } from '@parley/processes/endpoints'
import { processes } from '@parley/processes/processes'
import { useMailLink } from '@parley/service-kit/testing/provider-browser'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { linkFrom, mailsTo, newAddress } from './mailbox.ts'
import { startProviderGate } from './provider-gate.ts'
import { forThisTest } from './running.ts'
import { type Bff, startBff } from './start-bff.ts'

let bff: Bff
beforeAll(async () => {
  bff = await startBff()
})
afterAll(() => bff.stop())

const password = 'correct horse'

async function signedUp(browser = bff.browser()) {
  const email = newAddress()
  const response = await browser.signUp(email, password)
  expect(response.status).toBe(201)
  return { browser, email }
}

test('sign-up starts a session with an unverified address', async () => {
  const { browser, email } = await signedUp()
  expect(await browser.session()).toMatchObject({
    authenticated: true,
    access_token: 'cookie',
    claims: { email, email_verified: false },
  })
})

const callsOfPeople = processes.bff.calls
  .flatMap((name) => endpointsOf[name] ?? [])
  .filter(({ access }) => access === 'session' || access === 'session+bearer')
const pathOf = ({ path }: Endpoint) => path.replace(/:\w+/g, '000000000000000000000000')

test('until its address is verified an account reaches its own profile and nothing else that services own', async () => {
  const { browser, email } = await signedUp()
  const headers = await browser.bearer()
  const answers = await Promise.all(
    callsOfPeople.map(async (endpoint) => {
      const answer = await browser.send(endpoint.method, pathOf(endpoint), { headers })
      const { code } = answer.status === 403 ? errorBodySchema.parse(await answer.json()) : { code: '' }
      return { operation: endpoint.operation, refused: code === 'email_not_verified' }
    }),
  )
  const open = answers.filter(({ refused }) => !refused).map(({ operation }) => operation)
  expect(open.toSorted()).toEqual(['profile.sync', 'profile.update', 'profile.user'])
  expect(answers.length).toBeGreaterThan(100)

  await useMailLink(await linkFrom(email, 'Verify email'))
  await vi.waitFor(
    async () => expect(await (await browser.send('POST', '/auth/reload')).json()).toEqual({ emailVerified: true }),
    { timeout: 30_000, interval: 500 },
  )
  expect((await browser.send('GET', '/api/numbers')).status).not.toBe(403)
})

test('resending mails the link again, but not twice at once', async () => {
  const { browser, email } = await signedUp()
  await linkFrom(email, 'Verify email')
  expect((await browser.send('POST', '/auth/verification-email')).status).toBe(204)
  const second = await browser.send('POST', '/auth/verification-email')
  expect(second.status).toBe(429)
  expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0)
  await vi.waitFor(async () => expect(await mailsTo(email)).toHaveLength(2))
})

test.each([
  [{ email: 'a@b', password }, 'email'],
  [{ email: '', password }, 'email'],
  [{ email: 'someone@parley.test', password: '12345' }, 'password'],
  [{ password }, 'email'],
  [{}, 'email'],
])('sign-up with %j names the field %s', async (body, field) => {
  const response = await bff.browser().postJson('/auth/sign-up', body)
  expect(response.status).toBe(400)
  const error = errorBodySchema.parse(await response.json())
  expect(error.code).toBe('validation_failed')
  expect(Object.keys(error.fields ?? {})).toContain(field)
})

test('a password that many people have is refused with a sentence of its own', async () => {
  const response = await bff.browser().signUp(newAddress(), 'Password1')
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    code: 'validation_failed',
    fields: { password: 'Password is one of the most common ones. Choose another' },
  })
})

test.each([
  ['exactly six characters', 'k7#pQz'],
  ['128 characters', 'long '.repeat(26).slice(0, 128).padEnd(128, 'x')],
  ['letters beyond ASCII', 'pässwörd-密码-🔑'],
  ['markup and quotes', `<"&'> %00 + ;--`],
])('a password of %s signs up and in', async (_what, chosen) => {
  const email = newAddress()
  expect((await bff.browser().signUp(email, chosen)).status).toBe(201)
  expect((await bff.browser().signIn(email, chosen)).status).toBe(200)
})

test('where passwords are entered at the provider it gets none from here, and a sign-up starts no session', async () => {
  const gate = await forThisTest(startProviderGate())
  const hosted = await forThisTest(startBff({ PASSWORD_SIGN_IN: 'hosted', OIDC_INTERNAL_ISSUER: gate.url }))
  const [browser, email] = [hosted.browser(), newAddress()]
  const signedUp = await browser.signUp(email, password)
  expect(signedUp.status).toBe(201)
  expect(await signedUp.json()).toEqual({ email, signedIn: false })
  await linkFrom(email, 'Verify email')
  const refused = await browser.signIn(email, password)
  expect([refused.status, await refused.json()]).toMatchObject([400, { error: 'interaction_required' }])
  expect([signedUp, refused].flatMap(({ headers }) => headers.getSetCookie())).toEqual([])
  expect(gate.grants).toEqual([])
})

test('password sign-in answers as an OAuth token endpoint', async () => {
  const { email } = await signedUp()
  const response = await bff.browser().signIn(email.toUpperCase(), password)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    id_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    token_type: 'Bearer',
    access_token: 'cookie',
    scope: 'openid profile email',
    expires_in: expect.any(Number),
  })
})
