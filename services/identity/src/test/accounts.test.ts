import { errorBodySchema } from '@parley/contracts/errors'
import { freePort } from '@parley/service-kit/testing/free-port'
import { type InternalAuthority, startInternalAuthority } from '@parley/service-kit/testing/internal-authority'
import { runToEnd, startProcess, type TestProcess } from '@parley/service-kit/testing/start-process'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { z } from 'zod'

const serverFile = `${import.meta.dirname}/../server.ts`
const { urls, env } = inject('stack')
const running: TestProcess[] = []

let authority: InternalAuthority
let identity: TestProcess
let token: string
beforeAll(async () => {
  authority = await startInternalAuthority()
  token = await authority.serviceToken('identity')
  identity = await startIdentity()
})
afterAll(async () => {
  await Promise.all(running.map((server) => server.stop()))
  await authority.close()
})

async function startIdentity(overrides: Record<string, string> = {}): Promise<TestProcess> {
  const server = await startProcess(serverFile, { ...env.identity, INTERNAL_JWKS_URL: authority.jwksUrl, ...overrides })
  running.push(server)
  return server
}

async function post(path: string, json?: unknown, { url = identity.url, bearer = token } = {}) {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, ...(json !== undefined && { 'content-type': 'application/json' }) },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
  const text = await answer.text()
  return { status: answer.status, text, code: answer.status < 400 ? '' : errorBodySchema.parse(JSON.parse(text)).code }
}

let people = 0
const newEmail = () => `identity-${process.pid}-${++people}@parley.test`
const password = 'correct horse'

async function createAccount(email = newEmail()) {
  const { status, text } = await post('/internal/accounts', { email, password })
  expect(status).toBe(201)
  return { email, ...z.object({ sub: z.string() }).strict().parse(JSON.parse(text)) }
}

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

const mailsSchema = z.array(
  z.object({ subject: z.string(), text: z.string().default(''), to: z.array(z.object({ address: z.string() })) }),
)
async function mailsTo(address: string) {
  const mails = mailsSchema.parse(await (await fetch(`${urls.mail}/email`)).json())
  return mails.filter(({ to }) => to.some((recipient) => recipient.address === address))
}

test('a created account signs in with its password, its address unproven', async () => {
  const { email, sub } = await createAccount()
  const { status, tokens } = await signIn(email)
  expect(status).toBe(200)
  expect(claimsOf(tokens)).toMatchObject({ sub, email, email_verified: false })
})

test('an address is stored in lower case, so that its other spellings are the same account', async () => {
  const { email } = await createAccount()
  expect(await post('/internal/accounts', { email: email.toUpperCase(), password })).toMatchObject({
    status: 409,
    code: 'account_exists',
  })
})

test('of five creations of one address at once one succeeds', async () => {
  const email = newEmail()
  const answers = await Promise.all(Array.from({ length: 5 }, () => post('/internal/accounts', { email, password })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
})

test.each([
  ['no address', { password }, 'email'],
  ['an address that is none', { email: 'ann', password }, 'email'],
  ['a password of five characters', { email: 'ann@example.com', password: '12345' }, 'password'],
  ['a password without end', { email: 'ann@example.com', password: 'x'.repeat(129) }, 'password'],
])('create with %s is refused and named', async (_name, json, field) => {
  const { status, text } = await post('/internal/accounts', json)
  expect(status).toBe(400)
  expect(Object.keys(JSON.parse(text).fields)).toEqual([field])
})

test('the verification mail reaches the account with a link to the provider', async () => {
  const { email, sub } = await createAccount()
  expect(await post(`/internal/accounts/${sub}/verification-email`)).toMatchObject({ status: 204, text: '' })
  const [mail] = await vi.waitUntil(
    async () => {
      const mails = await mailsTo(email)
      return mails.length > 0 && mails
    },
    { timeout: 10_000 },
  )
  expect(mail?.text).toContain(`${urls.identity}/login-actions/action-token?`)
})

test('a known and an unknown address ask for a reset alike; only the known one gets a mail', async () => {
  const { email } = await createAccount()
  const stranger = newEmail()
  const known = await post('/internal/password-resets', { email })
  const unknown = await post('/internal/password-resets', { email: stranger })
  expect(known).toEqual({ status: 202, text: '', code: '' })
  expect(unknown).toEqual(known)
  await vi.waitUntil(async () => (await mailsTo(email)).length > 0, { timeout: 10_000 })
  expect(await mailsTo(stranger)).toEqual([])
})

test('ending the sessions of an account makes its refresh tokens useless', async () => {
  const { email, sub } = await createAccount()
  const { tokens } = await signIn(email)
  const refresh = () =>
    provider('token', {
      ...passwordClient,
      grant_type: 'refresh_token',
      refresh_token: String(tokens['refresh_token']),
    })
  expect((await refresh()).status).toBe(200)
  expect((await post(`/internal/accounts/${sub}/end-sessions`)).status).toBe(204)
  expect((await refresh()).status).toBe(400)
})

test.each(['disable', 'delete'] as const)('an account that is ended (%s) has no session and no way in', async (how) => {
  const { email, sub } = await createAccount()
  const { tokens } = await signIn(email)
  expect(await post(`/internal/accounts/${sub}/end`, { how })).toMatchObject({ status: 204, text: '' })
  const form = { ...passwordClient, grant_type: 'refresh_token', refresh_token: String(tokens['refresh_token']) }
  expect((await provider('token', form)).status).toBe(400)
  expect((await signIn(email)).status).toBe(400)
  const again = await post(`/internal/accounts/${sub}/end`, { how })
  expect(again.status).toBe(how === 'delete' ? 404 : 204)
  expect((await post('/internal/accounts', { email, password })).code).toBe(how === 'delete' ? '' : 'account_exists')
})

test('a reclaimed account has no password and only the session that was named', async () => {
  const { email, sub } = await createAccount()
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
    expect(await post(`/internal/accounts/${sub}/reclaim`, { keepSession })).toMatchObject({ status: 204, text: '' })
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
    expect(await post(`/internal/accounts/${sub}/${call}`, body)).toMatchObject({
      status: 404,
      code: 'account_not_found',
    })
  },
)

test.each(['..%2f..%2frealms', 'a%20b', 'x'.repeat(256), 'a?b'])(
  'an id such as %s reaches no provider',
  async (sub) => {
    const { status } = await post(`/internal/accounts/${sub}/end-sessions`)
    expect([400, 404]).toContain(status)
  },
)

test('nobody calls it but other processes of ours', async () => {
  const user = await authority.userToken({
    sub: 'a'.repeat(24),
    wid: 'b'.repeat(24),
    role: 'owner',
    aud: 'identity',
    email: 'ann@example.com',
    email_verified: true,
    provider: 'password',
  })
  for (const bearer of ['', 'abc', user, await authority.serviceToken('profile')]) {
    const answer = await post('/internal/accounts', { email: newEmail(), password }, { bearer })
    expect(answer).toMatchObject({ status: 401, code: 'unauthenticated' })
  }
})

test('it is ready with the provider, and without it says so and answers 503', async () => {
  expect((await fetch(`${identity.url}/readyz`)).status).toBe(200)
  const { url } = await startIdentity({ OIDC_ISSUER: `http://127.0.0.1:${await freePort()}/realms/parley` })
  const ready = await fetch(`${url}/readyz`)
  expect([ready.status, await ready.json()]).toMatchObject([503, { parts: { identityProvider: 'down' } }])
  expect(await post('/internal/accounts', { email: newEmail(), password }, { url })).toMatchObject({
    status: 503,
    code: 'identity_provider_unavailable',
  })
})

test('with a wrong secret it is not ready', async () => {
  const { url } = await startIdentity({ IDENTITY_CLIENT_SECRET: 'wrong-secret' })
  expect((await fetch(`${url}/readyz`)).status).toBe(503)
})

test('no log line holds an address, a password, a token or the secret', async () => {
  const { email, sub } = await createAccount()
  await post('/internal/accounts', { email, password })
  await post('/internal/password-resets', { email })
  await post(`/internal/accounts/${sub}/verification-email`)
  await vi.waitUntil(() => identity.output().includes('identity.sendVerification'), { timeout: 10_000 })
  expect(identity.output()).not.toMatch(/@parley\.test|correct horse|eyJ/)
  expect(identity.output()).not.toContain(env.identity['IDENTITY_CLIENT_SECRET'])
})

test('missing and wrong settings are named together, without their values', async () => {
  const { exitCode, output } = await runToEnd(serverFile, {
    PORT: '0',
    OIDC_ISSUER: 'http://127.0.0.1:8080',
    IDENTITY_CLIENT_ID: 'svc-identity',
    IDENTITY_CLIENT_SECRET: 'hunter2',
    PUBLIC_ORIGIN: 'http://localhost:3000/app',
  })
  expect(exitCode).toBe(1)
  for (const line of [
    'INTERNAL_JWKS_URL is missing',
    'MAIL_LINK_CLIENT_ID is missing',
    'OIDC_ISSUER: must end in /realms/<name>',
    'IDENTITY_CLIENT_SECRET: is too short',
    'PUBLIC_ORIGIN: must be an origin',
  ]) {
    expect(output).toContain(line)
  }
  expect(output).not.toContain('hunter2')
})
