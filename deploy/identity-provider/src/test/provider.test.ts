import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@parley/service-kit/testing/free-port'
import { createBrowser } from '@parley/service-kit/testing/provider-browser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin, grant, logout, newAccount, refresh, signIn, userinfo, verified } from './contract/calls.ts'
import { linkIn, mailTo } from './contract/mails.ts'
import type { ContractTarget } from './contract/target.ts'
import { launchProvider } from './provider-process.ts'
import { launchStandIn, type StandIn } from './stand-in.ts'

/** Covers what is true of the stand-in only: its own pages, its files, its life as a process. */
let provider: StandIn['provider']
let target: ContractTarget

beforeAll(async () => {
  const standIn = await launchStandIn()
  provider = standIn.provider
  target = standIn.target
})

afterAll(async () => {
  await provider.stop()
})

async function mailLink(account: { id: string; email: string }, call: string, body?: unknown): Promise<string> {
  expect((await admin(target, 'PUT', `/users/${account.id}/${call}`, body)).status).toBe(204)
  return linkIn(await mailTo(target, account.email, body ? 'Update Your Account' : 'Verify email'))
}

const buttons = (page: string) => page.match(/<button\b|<input[^>]+type="(?:submit|button)"/g) ?? []

test('what was answered survives a kill: accounts, sessions, links, locks, keys', async () => {
  const account = await newAccount(target, { firstName: 'Ann' })
  const link = await mailLink(account, 'send-verify-email')
  const tokens = await signIn(target, account)
  await provider.kill('SIGKILL')
  await provider.start()
  expect((await userinfo(target, tokens.access_token)).body).toMatchObject({ sub: account.id, name: 'Ann' })
  expect((await refresh(target, tokens.refresh_token)).status).toBe(200)
  expect((await verified(target, tokens.id_token)).payload.sub).toBe(account.id)
  expect((await grant(target, account.email, account.password)).status).toBe(200)
  const browser = createBrowser(target.issuer)
  await browser.proceed(await browser.visit(link))
  expect((await userinfo(target, tokens.access_token)).body).toMatchObject({ email_verified: true })
})

test('keys are the realm’s own and only their owner may read them', async () => {
  const file = join(provider.dataDir, 'parley', 'keys.json')
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
  const certs = await (await fetch(`${target.issuer}/protocol/openid-connect/certs`)).text()
  expect(certs).toContain('"kid"')
  expect(certs).not.toContain('"d"')
  expect(certs).not.toContain('keystore-CHANGE-ME')
})

test('it does not start in production', () => {
  const script = new URL('../server.ts', import.meta.url).pathname
  const result = spawnSync(process.execPath, [script], {
    env: { ...provider.env, NODE_ENV: 'production' },
    encoding: 'utf8',
    timeout: 300_000,
  })
  expect(result.status).toBe(1)
  expect(result.stderr.trim().split('\n')).toHaveLength(1)
})

test('pages of mail links have one button, no script, no frame and are not kept', async () => {
  const account = await newAccount(target)
  const links = [
    await mailLink(account, 'send-verify-email'),
    await mailLink(account, 'execute-actions-email', ['UPDATE_PASSWORD']),
  ]
  for (const link of links) {
    const page = await fetch(link)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe-inline')
    expect(policy).not.toContain('form-action')
    expect(page.headers.get('cache-control')).toBe('no-store')
    const text = await page.text()
    expect(buttons(text)).toHaveLength(1)
    expect(text).not.toContain('<script')
  }
})

test('the password form says what is wrong: first that they differ, then that it is short', async () => {
  const account = await newAccount(target)
  const browser = createBrowser(target.issuer)
  const form = await browser.visit(await mailLink(account, 'execute-actions-email', ['UPDATE_PASSWORD']))
  const differ = await browser.submit(form, { 'password-new': 'abc', 'password-confirm': 'abd' })
  expect(differ.text).toContain('Passwords do not match')
  const short = await browser.submit(form, { 'password-new': '12345', 'password-confirm': '12345' })
  expect(short.text).toContain('Password must be at least 6 characters')
  expect(short.text).toContain('aria-invalid="true"')
})

test('what a mail address or a hint contains is text on a page, never markup', async () => {
  const query = new URLSearchParams({
    client_id: 'bff-web',
    redirect_uri: `${target.publicOrigin}/auth/callback`,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    login_hint: '"><b>bold</b>',
  })
  const page = await createBrowser(target.issuer).visit(`${target.issuer}/protocol/openid-connect/auth?${query}`)
  expect(page.text).toContain('&lt;b&gt;bold')
  expect(page.text).not.toContain('<b>bold')
})

test('the sign-in page of one browser is no use in another', async () => {
  const query = new URLSearchParams({
    client_id: 'bff-web',
    redirect_uri: `${target.publicOrigin}/auth/callback`,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  const page = await createBrowser(target.issuer).visit(`${target.issuer}/protocol/openid-connect/auth?${query}`)
  const other = await createBrowser(target.issuer).visit(page.url)
  expect(other.status).toBe(400)
  expect(other.text).toContain('This sign-in has ended')
})

test('a logout whose receiver is down still ends the session', async () => {
  const tokens = await signIn(target, await newAccount(target))
  expect((await logout(target, tokens.refresh_token)).status).toBe(204)
  expect((await userinfo(target, tokens.access_token)).status).toBe(401)
})

test('a mail that cannot be sent is a 500 that says which', async () => {
  const unreachable = `smtp://127.0.0.1:${await freePort()}`
  const mute = await launchProvider({ smtpUrl: unreachable, publicOrigin: target.publicOrigin, logoutPort: 9 })
  try {
    const at = { ...target, issuer: mute.issuer }
    const { id } = await newAccount(at)
    const verify = await admin(at, 'PUT', `/users/${id}/send-verify-email`)
    expect([verify.status, verify.body]).toEqual([500, { errorMessage: 'Failed to send verify email' }])
    const update = await admin(at, 'PUT', `/users/${id}/execute-actions-email`, ['UPDATE_PASSWORD'])
    expect([update.status, update.body]).toEqual([500, { errorMessage: 'Failed to send execute actions email' }])
  } finally {
    await mute.stop()
  }
})

test('bad input is refused in JSON and without a stack trace', async () => {
  const { origin, issuer } = provider
  const big = await fetch(`${issuer}/protocol/openid-connect/logout`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `refresh_token=${'x'.repeat(100_000)}`,
  })
  const answers = [
    { response: big, status: 413 },
    { response: await fetch(`${origin}/no/such/path`), status: 404 },
    { response: await fetch(`${issuer}/protocol/openid-connect/logout`, { method: 'POST', body: '{}' }), status: 401 },
    { response: await fetch(`${origin}/admin/realms/parley/users/%ff`), status: 401 },
  ]
  for (const { response, status } of answers) {
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: expect.any(String) })
  }
  const broken = await admin(target, 'GET', '/users/%ff')
  expect([broken.status, broken.body]).toEqual([400, { error: expect.any(String) }])
  const huge = await grant(target, `${'a'.repeat(70_000)}@example.com`, 'secret-1')
  expect(huge.status).toBe(400)
  expect(JSON.stringify(huge.body)).not.toMatch(/node_modules|at .*\.ts/)
})

test('accounts are listed by a part of their address, page by page', async () => {
  const { id, email } = await newAccount(target)
  const list = async (query: string) =>
    (await admin(target, 'GET', `/users?search=${email.slice(3, -3)}&${query}`)).body
  expect(await list('first=0&max=100&briefRepresentation=true')).toEqual([expect.objectContaining({ id, email })])
  expect(await list('first=1&max=100')).toEqual([])
})

test('two answers to one reset link at once: only one of them counts', async () => {
  const account = await newAccount(target)
  const link = await mailLink(account, 'execute-actions-email', ['UPDATE_PASSWORD'])
  const answer = (password: string) =>
    fetch(link, {
      method: 'POST',
      body: new URLSearchParams({ 'password-new': password, 'password-confirm': password }),
    })
  const results = await Promise.all([answer('brand-new-1'), answer('brand-new-2')])
  expect(results.map(({ status }) => status).toSorted()).toEqual([200, 400])
})
