import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@parley/service-kit/testing/free-port'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  admin,
  authUrl,
  backAtClient,
  grant,
  logIn,
  logout,
  mailTo,
  newAccount,
  newBrowser,
  newVerifier,
  protocolUrl,
  refresh,
  signIn,
  typed,
  userinfo,
  verified,
} from './contract/calls.ts'
import { chooseTarget } from './contract/target.ts'
import { launchProvider, script } from './provider-process.ts'

/** Covers what is true of the stand-in only: its own pages, its files, its life as a process. No client receives its logouts. */
let provider: Awaited<ReturnType<typeof launchProvider>>
beforeAll(async () => {
  const smtpUrl = inject('stack').env['identity-provider']['SMTP_URL'] ?? ''
  provider = await launchProvider({ smtpUrl, logoutPort: await freePort() })
  chooseTarget(provider.target)
})
afterAll(() => provider.stop())

async function mailedLink({ id, email }: { id: string; email: string }, call: string): Promise<string> {
  expect((await admin('PUT', `/users/${id}/${call}`)).status).toBe(204)
  return (await mailTo(email, call === 'send-verify-email' ? 'Verify email' : 'Update Your Account')).link
}

test('what was answered survives a kill: accounts, sessions, links, Google’s people, keys', async () => {
  const account = await newAccount()
  const link = await mailedLink(account, 'send-verify-email')
  const tokens = await signIn(account)
  await provider.kill('SIGKILL')
  await provider.start()
  expect((await userinfo(tokens.access_token)).body).toMatchObject({ sub: account.id })
  expect((await refresh(tokens.refresh_token)).status).toBe(200)
  expect((await verified(tokens.id_token)).payload.sub).toBe(account.id)
  expect((await grant(account.email, account.password)).status).toBe(200)
  const browser = newBrowser()
  await browser.proceed(await browser.visit(link))
  expect((await userinfo(tokens.access_token)).body).toMatchObject({ email_verified: true })
})

test('keys are the realm’s own and only their owner may read them', async () => {
  const folder = join(provider.dataDir, 'parley')
  expect((statSync(folder).mode & 0o777).toString(8)).toBe('700')
  const certs = await (await fetch(protocolUrl('certs'))).text()
  expect(certs).toContain('"kid"')
  expect(certs).not.toContain('"d"')
  expect(certs).not.toContain('keystore-CHANGE-ME')
})

test('it does not start in production', () => {
  const env = { ...provider.env, NODE_ENV: 'production' }
  const result = spawnSync(process.execPath, [script], { env, encoding: 'utf8', timeout: 300_000 })
  expect(result.status).toBe(1)
  expect(result.stderr.trim().split('\n')).toHaveLength(1)
})

test('pages of mail links have one button, no script, no frame and are not kept', async () => {
  const account = await newAccount()
  for (const call of ['send-verify-email', 'execute-actions-email']) {
    const page = await fetch(await mailedLink(account, call))
    const policy = page.headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'"]) expect(policy).toContain(rule)
    expect(policy).not.toMatch(/unsafe-inline|form-action/)
    expect(page.headers.get('cache-control')).toBe('no-store')
    const text = await page.text()
    expect(text.match(/<button\b|<input[^>]+type="(?:submit|button)"/g)).toHaveLength(1)
    expect(text).not.toContain('<script')
  }
})

test('the password form says what is wrong: first that they differ, then that it is short', async () => {
  const browser = newBrowser()
  const form = await browser.visit(await mailedLink(await newAccount(), 'execute-actions-email'))
  expect((await browser.submit(form, typed('abc', 'abd'))).text).toContain('Passwords do not match')
  const short = await browser.submit(form, typed('12345'))
  expect(short.text).toContain('Password must be at least 6 characters')
  expect(short.text).toContain('aria-invalid="true"')
})

test('what a hint contains is text on a page, never markup, and the page is no use in another browser', async () => {
  const page = await newBrowser().visit(authUrl(newVerifier(), { login_hint: '"><b>bold</b>' }))
  expect(page.text).toContain('&quot;&gt;&lt;b&gt;bold')
  expect(page.text).not.toContain('<b>bold')
  const other = await newBrowser().visit(page.url)
  expect(other.status).toBe(400)
  expect(other.text).toContain('This sign-in has ended')
})

test('cancelling at Google tells the client, or leads back to the page that offered it', async () => {
  const hinted = newBrowser()
  const atGoogle = await hinted.visit(authUrl(newVerifier(), { kc_idp_hint: 'google' }))
  const answer = backAtClient(await hinted.submit(atGoogle, { cancel: 'yes' }))
  expect([answer.get('error'), answer.get('state')]).toEqual(['access_denied', 'state-1'])
  const offered = newBrowser()
  const chooser = await offered.follow(await offered.visit(authUrl(newVerifier())), 'social-google')
  const back = await offered.submit(chooser, { cancel: 'yes' })
  expect(back.text).toContain('The sign-in with Google was cancelled.')
  expect(back.text).toContain('name="password"')
})

test('a logout whose receiver is down still ends the session', async () => {
  const tokens = await signIn(await newAccount())
  expect((await logout(tokens.refresh_token)).status).toBe(204)
  expect((await userinfo(tokens.access_token)).status).toBe(401)
})

test('a password that was replaced meanwhile opens nothing, and of two answers to one reset link one counts', async () => {
  const account = await newAccount()
  const link = await mailedLink(account, 'execute-actions-email')
  const answer = (password: string) => fetch(link, { method: 'POST', body: new URLSearchParams(typed(password)) })
  const results = await Promise.all([answer('brand-new-1'), answer('brand-new-2')])
  expect(results.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect((await logIn(account)).location).toBeNull()
})

test('a mail that cannot be sent is a 500 that says so', async () => {
  const mute = await launchProvider({ smtpUrl: `smtp://127.0.0.1:${await freePort()}`, logoutPort: 9 })
  try {
    chooseTarget(mute.target)
    const { id } = await newAccount()
    expect((await admin('PUT', `/users/${id}/send-verify-email`)).status).toBe(500)
  } finally {
    chooseTarget(provider.target)
    await mute.stop()
  }
})

test('bad input is refused in JSON and without a stack trace', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const big = `refresh_token=${'x'.repeat(100_000)}`
  for (const [status, call] of [
    [413, fetch(protocolUrl('logout'), { method: 'POST', headers: form, body: big })],
    [404, fetch(`${provider.origin}/no/such/path`)],
    [401, fetch(`${provider.origin}/admin/realms/parley/users`)],
  ] as const) {
    const response = await call
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: expect.any(String) })
  }
  expect((await admin('PUT', '/users/%ff', {})).status).toBe(400)
  expect((await admin('POST', '/users', { email: 7 })).status).toBe(400)
  const huge = await grant(`${'a'.repeat(70_000)}@example.com`, 'secret-1')
  expect(JSON.stringify(huge.body)).not.toMatch(/node_modules|at .*\.ts/)
})

test('accounts are listed by a part of their address, page by page', async () => {
  const { id, email } = await newAccount()
  const list = async (query: string) => (await admin('GET', `/users?search=${email.slice(3, -3)}&${query}`)).body
  expect(await list('first=0&max=100&briefRepresentation=true')).toEqual([expect.objectContaining({ id, email })])
  expect(await list('first=1&max=100')).toEqual([])
})
