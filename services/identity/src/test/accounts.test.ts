import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { z } from 'zod'
import { type IdentityUnderTest, mailsTo, newEmail, password, startIdentity } from './start-identity.ts'

const { urls, env } = inject('stack')
let identity: IdentityUnderTest
beforeAll(async () => {
  identity = await startIdentity()
})
afterAll(() => identity.stop())

const provider = (path: string, form: Record<string, string>) =>
  fetch(`${urls.identity}/protocol/openid-connect/${path}`, { method: 'POST', body: new URLSearchParams(form) })
const passwordClient = {
  client_id: env.bff['OIDC_PASSWORD_CLIENT_ID'] ?? '',
  client_secret: env.bff['OIDC_PASSWORD_CLIENT_SECRET'] ?? '',
}
const signIn = async (email: string) => {
  const form = { ...passwordClient, grant_type: 'password', username: email, password, scope: 'openid' }
  const answer = await provider('token', form)
  return { status: answer.status, tokens: z.record(z.string(), z.unknown()).parse(await answer.json()) }
}

function claimsOf(tokens: Record<string, unknown>): Record<string, unknown> {
  const payload = String(tokens['id_token']).split('.')[1] ?? ''
  return z.record(z.string(), z.unknown()).parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
}

test('a created account signs in with its password, its address unproven', async () => {
  const { email, sub } = await identity.createAccount()
  const { status, tokens } = await signIn(email)
  expect(status).toBe(200)
  expect(claimsOf(tokens)).toMatchObject({ sub, email, email_verified: false })
})

test('an address is stored in lower case, so that its other spellings are the same account', async () => {
  const { email } = await identity.createAccount()
  expect(await identity.post('/internal/accounts', { email: email.toUpperCase(), password })).toMatchObject({
    status: 409,
    code: 'account_exists',
  })
})

test('of five creations of one address at once one succeeds', async () => {
  const email = newEmail()
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => identity.post('/internal/accounts', { email, password })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
})

test.each([
  ['no address', { password }, 'email'],
  ['an address that is none', { email: 'ann', password }, 'email'],
  ['a password of five characters', { email: 'ann@example.com', password: '12345' }, 'password'],
  ['a password without end', { email: 'ann@example.com', password: 'x'.repeat(129) }, 'password'],
])('create with %s is refused and named', async (_name, json, field) => {
  const { status, text } = await identity.post('/internal/accounts', json)
  expect(status).toBe(400)
  expect(Object.keys(JSON.parse(text).fields)).toEqual([field])
})

test('the verification mail reaches the account with a link to the provider', async () => {
  const { email, sub } = await identity.createAccount()
  expect(await identity.post(`/internal/accounts/${sub}/verification-email`)).toMatchObject({ status: 204, text: '' })
  const [mail] = await vi.waitUntil(async () => {
    const mails = await mailsTo(email)
    return mails.length > 0 && mails
  })
  expect(mail?.text).toContain(`${urls.identity}/login-actions/action-token?`)
})

test('a known and an unknown address ask for a reset alike; only the known one gets a mail', async () => {
  const { email } = await identity.createAccount()
  const stranger = newEmail()
  const known = await identity.post('/internal/password-resets', { email })
  const unknown = await identity.post('/internal/password-resets', { email: stranger })
  expect(known).toEqual({ status: 202, text: '', code: '' })
  expect(unknown).toEqual(known)
  await vi.waitUntil(async () => (await mailsTo(email)).length > 0)
  expect(await mailsTo(stranger)).toEqual([])
})

test('ending the sessions of an account makes its refresh tokens useless', async () => {
  const { email, sub } = await identity.createAccount()
  const { tokens } = await signIn(email)
  const refresh = () =>
    provider('token', {
      ...passwordClient,
      grant_type: 'refresh_token',
      refresh_token: String(tokens['refresh_token']),
    })
  expect((await refresh()).status).toBe(200)
  expect((await identity.post(`/internal/accounts/${sub}/end-sessions`)).status).toBe(204)
  expect((await refresh()).status).toBe(400)
})

test.each(['disable', 'delete'] as const)('an account that is ended (%s) has no session and no way in', async (how) => {
  const { email, sub } = await identity.createAccount()
  const { tokens } = await signIn(email)
  expect(await identity.post(`/internal/accounts/${sub}/end`, { how })).toMatchObject({ status: 204, text: '' })
  const form = { ...passwordClient, grant_type: 'refresh_token', refresh_token: String(tokens['refresh_token']) }
  expect((await provider('token', form)).status).toBe(400)
  expect((await signIn(email)).status).toBe(400)
  const again = await identity.post(`/internal/accounts/${sub}/end`, { how })
  expect(again.status).toBe(how === 'delete' ? 404 : 204)
  expect((await identity.post('/internal/accounts', { email, password })).code).toBe(
    how === 'delete' ? '' : 'account_exists',
  )
})

test('a reclaimed account has no password and only the session that was named', async () => {
  const { email, sub } = await identity.createAccount()
  const squatter = await signIn(email)
  const owner = await signIn(email)
  const keepSession = String(claimsOf(owner.tokens)['sid'])
  const refresh = ({ tokens }: typeof owner) =>
    provider('token', {
      ...passwordClient,
      grant_type: 'refresh_token',
      refresh_token: String(tokens['refresh_token']),
    })
  for (const _again of [1, 2]) {
    expect(await identity.post(`/internal/accounts/${sub}/reclaim`, { keepSession })).toMatchObject({
      status: 204,
      text: '',
    })
  }
  expect((await signIn(email)).status).toBe(400)
  expect((await refresh(squatter)).status).toBe(400)
  expect((await refresh(owner)).status).toBe(200)
})

test.each(['verification-email', 'end-sessions', 'end', 'reclaim'])(
  '%s of an account that does not exist is 404',
  async (call) => {
    const sub = '00000000-0000-4000-8000-000000000000'
    const body = call === 'reclaim' ? {} : call === 'end' ? { how: 'disable' } : undefined
    expect(await identity.post(`/internal/accounts/${sub}/${call}`, body)).toMatchObject({
      status: 404,
      code: 'account_not_found',
    })
  },
)

test.each(['..%2f..%2frealms', 'a%20b', 'x'.repeat(256), 'a?b'])(
  'an id such as %s reaches no provider',
  async (sub) => {
    const { status } = await identity.post(`/internal/accounts/${sub}/end-sessions`)
    expect([400, 404]).toContain(status)
  },
)
