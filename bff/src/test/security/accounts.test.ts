import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { endingSession } from '../ending-session.ts'
import { mailsTo, newAddress } from '../mailbox.ts'
import { changeAccount, forgetAccount, lockAccount } from '../provider-admin.ts'
import { startProviderGate } from '../provider-gate.ts'
import { forThisTest } from '../running.ts'
import { type Bff, startBff } from '../start-bff.ts'

const password = 'correct horse'
let bff: Bff
beforeAll(async () => {
  bff = await startBff({ TRUST_PROXY_HOPS: '1', LIMIT_SIGN_IN_FAILURES_PER_EMAIL_AND_IP: '5' })
})
afterAll(() => bff.stop())

let octet = Math.floor(Math.random() * 60_000)
const newIp = () => {
  octet += 1
  return `198.18.${(octet >> 8) % 256}.${octet % 256}`
}
const signIn = (ip: string, username: string, enteredPassword: string) =>
  bff.browser().send('POST', '/auth/token', {
    body: new URLSearchParams({ grant_type: 'password', client_id: 'spa', username, password: enteredPassword }),
    headers: { 'x-forwarded-for': ip },
  })

async function signedUp() {
  const email = newAddress()
  const browser = bff.browser()
  expect((await browser.signUp(email, password)).status).toBe(201)
  return { browser, email }
}

/** Returns everything that an onlooker can compare: all but id and time of the answer. */
async function whatIsSeen(response: Response) {
  const { 'x-request-id': _id, date: _date, ...headers } = Object.fromEntries(response.headers)
  return { status: response.status, body: await response.text(), headers }
}

describe('a sign-in that fails', () => {
  let addresses: Record<string, { email: string; enteredPassword: string }>
  beforeAll(async () => {
    const [wrong, disabled, locked] = await Promise.all([signedUp(), signedUp(), signedUp()])
    await changeAccount(disabled.email, { enabled: false })
    await lockAccount(locked.email)
    addresses = {
      unknown: { email: newAddress('nobody'), enteredPassword: password },
      wrong: { email: wrong.email, enteredPassword: 'wrong password' },
      disabled: { email: disabled.email, enteredPassword: password },
      'disabled and wrong': { email: disabled.email, enteredPassword: 'wrong password' },
      locked: { email: locked.email, enteredPassword: password },
      'locked and wrong': { email: locked.email, enteredPassword: 'wrong password' },
    }
    // Keycloak hashes each of the hundred guesses that lock an account.
  }, 180_000)

  test('answers the same for an unknown, wrong, disabled and locked account', async () => {
    for (const [what, { email, enteredPassword }] of Object.entries(addresses)) {
      expect(await whatIsSeen(await signIn(newIp(), email, enteredPassword)), what).toEqual({
        status: 400,
        body: '{"error":"invalid_grant","error_description":"Invalid email or password"}',
        headers: (await whatIsSeen(await signIn(newIp(), newAddress('nobody'), enteredPassword))).headers,
      })
    }
  })

  test('costs the same one question to the provider whether the account exists or not', async () => {
    const gate = await forThisTest(startProviderGate())
    const on = await forThisTest(startBff({ OIDC_INTERNAL_ISSUER: gate.url }))
    for (const [what, { email, enteredPassword }] of Object.entries(addresses)) {
      gate.calls.length = 0
      expect((await on.browser().signIn(email, enteredPassword)).status).toBe(400)
      expect(
        gate.calls.filter((call) => call !== 'certs'),
        what,
      ).toEqual(['token'])
    }
  })

  test('in parallel does not slip past the limit', async () => {
    const [email, attacker] = [newAddress(), newIp()]
    const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(attacker, email, 'guess')))
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5)
  })

  test('under another spelling of the address counts for the same account', async () => {
    const [{ email }, attacker] = [await signedUp(), newIp()]
    for (const spelling of [email, email.toUpperCase(), ` ${email}`, `${email} `, `${email}\t`])
      expect((await signIn(attacker, spelling, 'guess')).status).toBe(400)
    expect((await signIn(attacker, email, password)).status).toBe(429)
  })
})

test('a password reset answers the same for a known, unknown, disabled and over-asked address', async () => {
  const [known, disabled, often] = await Promise.all([signedUp(), signedUp(), signedUp()])
  await changeAccount(disabled.email, { enabled: false })
  const ask = async (email: string) => whatIsSeen(await bff.browser().postJson('/auth/password-reset', { email }))
  const unknown = await ask(newAddress('nobody'))
  expect(unknown).toMatchObject({ status: 202, body: '' })
  for (const email of [known.email, known.email.toUpperCase(), disabled.email])
    expect(await ask(email)).toEqual(unknown)
  for (let attempt = 0; attempt < 5; attempt++) expect(await ask(often.email)).toEqual(unknown)
  const resets = async () => (await mailsTo(often.email)).filter(({ subject }) => subject === 'Update Your Account')
  await vi.waitFor(async () => expect(await resets()).toHaveLength(3))
})

test('a second sign-up with an address does not say why it failed, and changes nothing', async () => {
  const { email } = await signedUp()
  const again = await bff.browser().signUp(email, 'another password')
  expect(again.status).toBe(409)
  expect(again.headers.getSetCookie()).toEqual([])
  expect(await again.json()).toMatchObject({ code: 'sign_up_failed', message: 'Failed to create account' })
  expect((await signIn(newIp(), email, 'another password')).status).toBe(400)
  expect((await signIn(newIp(), email, password)).status).toBe(200)
})

describe('an account with an unverified address', () => {
  test('is told as such, by the session and its token, and reaches its own data only', async () => {
    const [{ browser, email }, other] = [await signedUp(), await signedUp()]
    const session = await browser.session()
    expect(session).toMatchObject({ authenticated: true, claims: { email, email_verified: false } })
    if (!session.authenticated) return
    const [, payload = ''] = session.id_token.split('.')
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ email, email_verified: false })
    expect(await (await browser.send('GET', '/api/auth/user')).json()).toMatchObject({ email })
    expect(await (await other.browser.send('GET', '/api/auth/user')).json()).toMatchObject({ email: other.email })
  })

  test('stays so however often it asks, and the provider is asked once', async () => {
    const { browser, gate } = await endingSession()
    const answers = await Promise.all(Array.from({ length: 10 }, () => browser.send('POST', '/auth/reload')))
    for (const answer of answers) expect(await answer.json()).toEqual({ emailVerified: false })
    expect(gate.calls.filter((call) => call === 'userinfo')).toHaveLength(1)
  })
})

test.each([
  ['disabled', (email: string) => changeAccount(email, { enabled: false })],
  ['deleted', forgetAccount],
])('an account that was %s at the provider, without a logout, is out with its next renewal', async (_how, end) => {
  const { browser, email } = await signedUp()
  await end(email)
  const { store } = bff.dependencies
  const live = await store.load(browser.cookie().split('=')[1] ?? '')
  if (!live) throw new Error('no session')
  expect(await browser.session()).toMatchObject({ authenticated: true })
  await store.replace(live, { ...live.hot, tokenExpiresAt: 1 })
  expect((await browser.send('GET', '/api/auth/user')).status).toBe(401)
  expect(await browser.session()).toEqual({ authenticated: false })
})
