import { createHash, randomBytes } from 'node:crypto'
import { createBrowser, type Page } from '@parley/service-kit/testing/provider-browser'
import { expect } from 'vitest'
import { type Account, type Answer, post, protocolUrl } from './calls.ts'
import type { ContractTarget } from './target.ts'

export const redirectUri = (target: ContractTarget) => `${target.publicOrigin}/auth/callback`

/** Address at which `bff-web` begins a sign-in; a parameter that is undefined is left out. */
export function authUrl(
  target: ContractTarget,
  verifier: string,
  change: Record<string, string | undefined> = {},
): string {
  const parameters = {
    client_id: 'bff-web',
    redirect_uri: redirectUri(target),
    response_type: 'code',
    scope: 'openid profile email',
    state: 'state-1',
    nonce: 'nonce-1',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...change,
  }
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${protocolUrl(target, 'auth')}?${new URLSearchParams(given)}`
}

export const newVerifier = () => randomBytes(32).toString('base64url')

/** Returns the parameters that the client receives, once the browser is back there. */
export function backAtClient(target: ContractTarget, page: Page): URLSearchParams {
  expect(page.location).toMatch(redirectUri(target))
  return new URL(page.location ?? '').searchParams
}

export const exchange = (target: ContractTarget, code: string, verifier: string): Promise<Answer> =>
  post(target, 'token', {
    client_id: 'bff-web',
    client_secret: target.secrets.web,
    grant_type: 'authorization_code',
    redirect_uri: redirectUri(target),
    code,
    code_verifier: verifier,
  })

/** Signs an account in with its password on the hosted page. @returns the code */
export async function codeFor(
  target: ContractTarget,
  account: Account,
  verifier: string,
  browser = createBrowser(target.issuer),
) {
  const login = await browser.visit(authUrl(target, verifier))
  expect(login.status).toBe(200)
  const page = await browser.submit(login, { username: account.email, password: account.password })
  const query = backAtClient(target, page)
  expect(query.get('state')).toBe('state-1')
  expect(query.get('iss')).toBe(target.issuer)
  return query.get('code') ?? ''
}
