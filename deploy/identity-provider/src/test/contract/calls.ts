import { randomUUID } from 'node:crypto'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { expect } from 'vitest'
import { z } from 'zod'
import type { ContractTarget } from './target.ts'

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

const tokenBody = z.looseObject({
  access_token: z.string(),
  refresh_token: z.string(),
  id_token: z.string().optional(),
  session_state: z.string(),
  expires_in: z.number(),
})
export type Tokens = z.infer<typeof tokenBody>

/** Seconds of an access token's life, less those that pass while it is made: Keycloak counts what is left. */
export const fiveMinutes: unknown = expect.closeTo(300, -1)

async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

export const protocolUrl = (target: ContractTarget, path: string) => `${target.issuer}/protocol/openid-connect/${path}`

/** Posts a form to one of the protocol's endpoints, the client in the form unless a header names it. */
export async function post(
  target: ContractTarget,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return read(await fetch(protocolUrl(target, path), { method: 'POST', body: new URLSearchParams(fields), headers }))
}

export const passwordClient = (target: ContractTarget) => ({
  client_id: 'bff-password',
  client_secret: target.secrets.password,
})

/** The password grant as it came back, refusals too. */
export function grant(target: ContractTarget, username: string, password: string, scope = 'openid profile email') {
  const fields = { ...passwordClient(target), grant_type: 'password', username, password, scope }
  return post(target, 'token', fields)
}

/** Signs an account in. @throws where that is refused */
export async function signIn(target: ContractTarget, account: Account, scope?: string): Promise<Tokens> {
  const { status, body } = await grant(target, account.email, account.password, scope)
  if (status !== 200) throw new Error(`The sign-in was refused: ${status} ${JSON.stringify(body)}`)
  return tokenBody.parse(body)
}

export const refresh = (target: ContractTarget, refreshToken: string) =>
  post(target, 'token', { ...passwordClient(target), grant_type: 'refresh_token', refresh_token: refreshToken })

export const logout = (target: ContractTarget, refreshToken: string) =>
  post(target, 'logout', { ...passwordClient(target), refresh_token: refreshToken })

export async function userinfo(target: ContractTarget, accessToken: string): Promise<Answer> {
  return read(await fetch(protocolUrl(target, 'userinfo'), { headers: { authorization: `Bearer ${accessToken}` } }))
}

export const parseTokens = (answer: Answer): Tokens => tokenBody.parse(answer.body)

/** Header and claims of a token whose signature was checked with the provider's published keys. */
export async function verified(target: ContractTarget, token: string | undefined) {
  const keys = createRemoteJWKSet(new URL(protocolUrl(target, 'certs')))
  return jwtVerify(token ?? '', keys, { issuer: target.issuer, algorithms: ['RS256'] })
}

async function adminToken(target: ContractTarget): Promise<string> {
  const answer = await post(target, 'token', {
    client_id: 'svc-identity',
    client_secret: target.secrets.identity,
    grant_type: 'client_credentials',
  })
  return z.object({ access_token: z.string() }).parse(answer.body).access_token
}

/** An admin call on our realm. A body that is a string is sent as it is. */
export async function admin(
  target: ContractTarget,
  method: string,
  path: string,
  body?: unknown,
  token?: string,
): Promise<Answer> {
  const url = target.issuer.replace('/realms/', '/admin/realms/') + path
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token ?? (await adminToken(target))}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return read(response)
}

export const newEmail = () => `contract-${randomUUID()}@example.com`
const secretPassword = 'secret-1'

/** The body of a call that creates an account as the identity service does. */
export const accountBody = (email: string, more: Record<string, unknown> = {}) => ({
  username: email,
  email,
  emailVerified: false,
  enabled: true,
  credentials: [{ type: 'password', value: secretPassword, temporary: false }],
  ...more,
})

/** A fresh account, so that no case stands on another's. */
export async function newAccount(target: ContractTarget, more: Record<string, unknown> = {}): Promise<Account> {
  const email = newEmail()
  const answer = await admin(target, 'POST', '/users', accountBody(email, more))
  const id = /\/users\/([\w-]+)$/.exec(answer.headers.get('location') ?? '')?.[1]
  if (answer.status !== 201 || !id) throw new Error(`No account: ${answer.status} ${JSON.stringify(answer.body)}`)
  return { id, email, password: secretPassword }
}
