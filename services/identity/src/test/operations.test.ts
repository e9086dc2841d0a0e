import { freePort } from '@parley/service-kit/testing/free-port'
import { runToEnd } from '@parley/service-kit/testing/start-process'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { type IdentityUnderTest, newEmail, password, serverFile, startIdentity } from './start-identity.ts'

const { env } = inject('stack')
let identity: IdentityUnderTest
beforeAll(async () => {
  identity = await startIdentity()
})
afterAll(() => identity.stop())

test('nobody calls it but other processes of ours', async () => {
  const user = await identity.authority.userToken({
    sub: 'a'.repeat(24),
    wid: 'b'.repeat(24),
    role: 'owner',
    aud: 'identity',
    email: 'ann@example.com',
    email_verified: true,
    provider: 'password',
  })
  for (const bearer of ['', 'abc', user, await identity.authority.serviceToken('profile')]) {
    const answer = await identity.post('/internal/accounts', { email: newEmail(), password }, { bearer })
    expect(answer).toMatchObject({ status: 401, code: 'unauthenticated' })
  }
})

test('it is ready with the provider, and without it says so and answers 503', async () => {
  await expect.poll(async () => (await fetch(`${identity.url}/readyz`)).status).toBe(200)
  const { url } = await identity.another({ OIDC_ISSUER: `http://127.0.0.1:${await freePort()}/realms/parley` })
  const ready = await fetch(`${url}/readyz`)
  expect([ready.status, await ready.json()]).toMatchObject([503, { parts: { identityProvider: 'down' } }])
  expect(await identity.post('/internal/accounts', { email: newEmail(), password }, { url })).toMatchObject({
    status: 503,
    code: 'identity_provider_unavailable',
  })
})

test('with a wrong secret it is not ready', async () => {
  const { url } = await identity.another({ IDENTITY_CLIENT_SECRET: 'wrong-secret' })
  expect((await fetch(`${url}/readyz`)).status).toBe(503)
})

test('no log line holds an address, a password, a token or the secret', async () => {
  const { email, sub } = await identity.createAccount()
  await identity.post('/internal/accounts', { email, password })
  await identity.post('/internal/password-resets', { email })
  await identity.post(`/internal/accounts/${sub}/verification-email`)
  await vi.waitUntil(() => identity.output().includes('identity.sendVerification'))
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
    'INTERNAL_ISSUERS is missing',
    'MAIL_LINK_CLIENT_ID is missing',
    'OIDC_ISSUER: must end in /realms/<name>',
    'IDENTITY_CLIENT_SECRET: is too short',
    'PUBLIC_ORIGIN: must be an origin',
  ]) {
    expect(output).toContain(line)
  }
  expect(output).not.toContain('hunter2')
})
