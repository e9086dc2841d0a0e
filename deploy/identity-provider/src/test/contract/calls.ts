import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createProviderAdmin } from '@parley/service-kit/testing/provider-admin'
import { type Browser, createBrowser, type Page } from '@parley/service-kit/testing/provider-browser'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { expect, vi } from 'vitest'
import { z } from 'zod'
import { target } from './target.ts'

/** A status and a body, parsed where it is JSON. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

export interface Account {
  readonly id: string
  readonly email: string
  readonly password: string
}

const tokensSchema = z.object({ access_token: z.string(), refresh_token: z.string(), id_token: z.string() })
export type Tokens = z.infer<typeof tokensSchema>

/** A process starts within it too, on a machine that does other things. */
export const patience = { timeout: 45_000, interval: 100 }

async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

export const protocolUrl = (path: string) => `${target().issuer}/protocol/openid-connect/${path}`

/** Posts a form to one of the protocol's endpoints. */
export const post = async (path: string, fields: Record<string, string>): Promise<Answer> =>
  read(await fetch(protocolUrl(path), { method: 'POST', body: new URLSearchParams(fields) }))

export const passwordClient = () => ({ client_id: 'bff-password', client_secret: target().secrets.password })
export const webClient = () => ({ client_id: 'bff-web', client_secret: target().secrets.web })

/** The password grant as it came back, refusals too. */
export const grant = (username: string, password: string, scope = 'openid profile email') =>
  post('token', { ...passwordClient(), grant_type: 'password', username, password, scope })

export function tokensIn({ status, body }: Answer): Tokens {
  if (status !== 200) throw new Error(`The sign-in was refused: ${status} ${JSON.stringify(body)}`)
  return tokensSchema.parse(body)
}

/** Signs an account in. @throws where that is refused */
export const signIn = async ({ email, password }: Account) => tokensIn(await grant(email, password))

export const refresh = (refreshToken: string, client = passwordClient()) =>
  post('token', { ...client, grant_type: 'refresh_token', refresh_token: refreshToken })

export const logout = (refreshToken: string, client = passwordClient()) =>
  post('logout', { ...client, refresh_token: refreshToken })

export const userinfo = async (accessToken: string): Promise<Answer> =>
  read(await fetch(protocolUrl('userinfo'), { headers: { authorization: `Bearer ${accessToken}` } }))

/** The session is dead in every way that a client can see. */
export async function expectEnded({ refresh_token, access_token }: Tokens, client = passwordClient()): Promise<void> {
  expect(await refresh(refresh_token, client)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect((await userinfo(access_token)).status).toBe(401)
}

/** Header and claims of a token whose signature was checked with the provider's published keys. */
export const verified = (token: string) =>
  jwtVerify(token, createRemoteJWKSet(new URL(protocolUrl('certs'))), {
    issuer: target().issuer,
    algorithms: ['RS256'],
  })

export const claimsOf = async ({ id_token }: Tokens) => (await verified(id_token)).payload

/** A token of the service account. */
export async function adminToken(): Promise<string> {
  const client = { client_id: 'svc-identity', client_secret: target().secrets.identity }
  const answer = await post('token', { ...client, grant_type: 'client_credentials' })
  return z.object({ access_token: z.string() }).parse(answer.body).access_token
}

/** An admin call on our realm. */
export async function admin(method: string, path: string, body?: unknown, token?: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${token ?? (await adminToken())}`, 'content-type': 'application/json' }
  const url = target().issuer.replace('/realms/', '/admin/realms/') + path
  return read(await fetch(url, { method, headers, body: body === undefined ? null : JSON.stringify(body) }))
}

export const findAccount = (email: string) =>
  createProviderAdmin({
    issuer: target().issuer,
    clientId: 'svc-identity',
    clientSecret: target().secrets.identity,
  }).findAccount(email)

export const newEmail = () => `contract-${randomUUID()}@example.com`
export const passwordOf = (value: string) => [{ type: 'password', value, temporary: false }]

/** Asks for an account as the identity service does. */
export const createAccount = (email: string, more: Record<string, unknown> = {}) =>
  admin('POST', '/users', {
    ...{ username: email, email, emailVerified: false, enabled: true, credentials: passwordOf('secret-1') },
    ...more,
  })

/** A fresh account, so that no case stands on another's. */
export async function newAccount(more: Record<string, unknown> = {}, email = newEmail()): Promise<Account> {
  const answer = await createAccount(email, more)
  const id = /\/users\/([\w-]+)$/.exec(answer.headers.get('location') ?? '')?.[1]
  if (answer.status !== 201 || !id) throw new Error(`No account: ${answer.status} ${JSON.stringify(answer.body)}`)
  return { id, email, password: 'secret-1' }
}

export const redirectUri = () => `${target().publicOrigin}/auth/callback`
export const newVerifier = () => randomBytes(32).toString('base64url')

/** Address at which `bff-web` begins a sign-in; a parameter that is undefined is left out. */
export function authUrl(verifier: string, change: Record<string, string | undefined> = {}): string {
  const parameters = {
    client_id: 'bff-web',
    redirect_uri: redirectUri(),
    response_type: 'code',
    scope: 'openid profile email',
    state: 'state-1',
    nonce: 'nonce-1',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...change,
  }
  const url = new URL(protocolUrl('auth'))
  for (const [name, value] of Object.entries(parameters)) if (value) url.searchParams.set(name, value)
  return url.href
}

/** Returns the parameters that the client receives, once the browser is back there. */
export function backAtClient({ location }: Page): URLSearchParams {
  expect(location).toMatch(redirectUri())
  return new URL(location ?? '').searchParams
}

export const exchange = (code: string, verifier: string): Promise<Answer> =>
  post('token', {
    ...webClient(),
    grant_type: 'authorization_code',
    redirect_uri: redirectUri(),
    code,
    code_verifier: verifier,
  })

export const newBrowser = (): Browser => createBrowser(target().issuer)

/** Fills in the hosted page. */
export async function logIn({ email, password }: Account, verifier = newVerifier(), browser = newBrowser()) {
  const login = await browser.visit(authUrl(verifier))
  expect(login.text).toContain('name="password"')
  return browser.submit(login, { username: email, password })
}

/** Signs an account in with its password on the hosted page. @returns the code */
export async function codeFor(account: Account, verifier: string, browser = newBrowser()): Promise<string> {
  const query = backAtClient(await logIn(account, verifier, browser))
  expect([query.get('state'), query.get('iss')]).toEqual(['state-1', target().issuer])
  return query.get('code') ?? ''
}

/** Tokens for the code with which a browser is back at the client. */
export const tokensAt = async (page: Page, verifier: string) =>
  tokensIn(await exchange(backAtClient(page).get('code') ?? '', verifier))

/** Fields of the form that asks for a new password. */
export const typed = (password: string, again = password) => ({ 'password-new': password, 'password-confirm': again })

const mailSchema = z.object({
  subject: z.string(),
  from: z.array(z.object({ name: z.string() })),
  to: z.array(z.object({ address: z.string() })),
  text: z.string(),
  html: z.string(),
})

/** Returns every mail of this subject to an address that has arrived so far, oldest first. */
export async function mailsTo(email: string, subject: string) {
  const all = z.array(z.unknown()).parse(await (await fetch(`${target().mailUrl}/email`)).json())
  const mails = all.flatMap((entry) => mailSchema.safeParse(entry).data ?? [])
  return mails.filter((mail) => mail.subject === subject && mail.to.some(({ address }) => address === email))
}

/** The newest mail of this subject to an address and its action link, once there are more than `already` of them. */
export const mailTo = (email: string, subject: string, already = 0) =>
  vi.waitFor(async () => {
    const mails = await mailsTo(email, subject)
    const mail = mails.length > already ? mails.at(-1) : undefined
    const link = /https?:\/\/\S*\/login-actions\/action-token\?key=\S+/.exec(mail?.text ?? '')?.[0]
    if (!mail || !link) throw new Error(`no mail "${subject}" with a link to ${email}`)
    return { ...mail, link }
  }, patience)
