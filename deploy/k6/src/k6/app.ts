import crypto from 'k6/crypto'
import http from 'k6/http'
import type { TestAccount } from '../test-accounts.ts'
import { type Answer, expectStatus, json, pageHeaders, textField, textParams, Unexpected } from './answers.ts'

/** Parts of a session that a page holds beside the cookie, which k6's jar keeps. */
export interface Held {
  readonly idToken: string
  /** Seconds, when it was handed out. */
  readonly expiresIn: number
}

const maxRedirects = 10

/** The app as its own page calls it. */
export function createApp(target: string) {
  const defaultHeaders = pageHeaders(target)
  const params = (path: string, headers: Record<string, string> = {}) =>
    textParams(path, { ...defaultHeaders, ...headers })

  function signInByPassword({ email, password }: TestAccount): Held {
    const form = { grant_type: 'password', client_id: 'spa', username: email, password }
    const answer = http.post(`${target}/auth/token`, form, params('/auth/token'))
    return heldOf(expectStatus(answer, 200, 'The password sign-in'))
  }

  /** Goes to the provider's own login page and back, as the page's OIDC library does (RFC 6749, RFC 7636). */
  function signInByCode({ email, password }: TestAccount): Held {
    const verifier = randomText(48)
    const request = [
      ['response_type', 'code'],
      ['client_id', 'spa'],
      ['redirect_uri', `${target}/auth/handler`],
      ['scope', 'openid profile email'],
      ['state', randomText(16)],
      ['code_challenge', crypto.sha256(verifier, 'base64rawurl')],
      ['code_challenge_method', 'S256'],
    ]
    const query = request.map(([name = '', value = '']) => `${name}=${encodeURIComponent(value)}`).join('&')
    const start = { ...params('/auth/authorize'), redirects: maxRedirects }
    const login = http.get(`${target}/auth/authorize?${query}`, start)
    expectStatus(login, 200, "The provider's login page")
    const back = login.submitForm({
      formSelector: 'form:has(input[name="username"])',
      fields: { username: email, password },
      params: { ...textParams('provider login'), redirects: maxRedirects },
    })
    // The page spends the code by its script, which does not run here.
    const code = /[?&]code=([^&]+)/.exec(back.url)?.[1]
    if (!back.url.startsWith(`${target}/auth/handler`) || code === undefined)
      throw new Unexpected('The end of the code flow', back)
    const form = {
      grant_type: 'authorization_code',
      client_id: 'spa',
      code: decodeURIComponent(code),
      code_verifier: verifier,
      redirect_uri: `${target}/auth/handler`,
    }
    const answer = http.post(`${target}/auth/token`, form, params('/auth/token'))
    return heldOf(expectStatus(answer, 200, 'Redeeming the code'))
  }

  /** @throws where no one is signed in any more. */
  function session(account: TestAccount): Held {
    const answer = expectStatus(http.get(`${target}/auth/session`, params('/auth/session')), 200, 'The session check')
    if (answer.json('authenticated') !== true) throw new Error('A session that should live has ended')
    if (answer.json('claims.email') !== account.email) throw new Error('The session is of somebody else')
    return heldOf(answer)
  }

  /** @returns the stored address. */
  function user(account: TestAccount): string {
    return ofAccount(http.get(`${target}/api/auth/user`, params('/api/auth/user')), account, 'The user')
  }

  function sync(account: TestAccount, { idToken }: Held): void {
    const headers = { ...json, authorization: `Bearer ${idToken}` }
    ofAccount(http.post(`${target}/api/auth/sync`, null, params('/api/auth/sync', headers)), account, 'The sync')
  }

  function writeProfile(account: TestAccount, { idToken }: Held, address: string): void {
    const headers = { ...json, authorization: `Bearer ${idToken}` }
    const body = JSON.stringify({ firstName: 'Load', lastName: 'Test', address })
    const answer = http.patch(`${target}/api/auth/profile`, body, params('/api/auth/profile', headers))
    if (ofAccount(answer, account, 'The profile write') !== address) throw new Error('The answer lacks the change')
  }

  function signOut(): void {
    expectStatus(http.post(`${target}/auth/sign-out`, null, params('/auth/sign-out')), 204, 'The sign-out')
  }

  /**
   * Returns why the app cannot serve, in words; `undefined` where it can. Behind an Ingress that does not route operators' paths,
   * as the chart's, another server answers for /readyz: then a call that the page makes first has to do.
   */
  function notReady(): string | undefined {
    const ready = http.get(`${target}/readyz`, params('/readyz'))
    if (isOfApp(ready, 'parts')) return ready.status === 200 ? undefined : refused('/readyz', ready)
    const session = http.get(`${target}/auth/session`, params('/auth/session'))
    return session.status === 200 && isOfApp(session, 'authenticated') ? undefined : refused('/auth/session', session)
  }
  const refused = (path: string, { status, error, body }: Answer) =>
    `${target}${path} answered ${status || error}${status ? `: ${String(body).slice(0, 300)}` : ''}`

  return { signInByPassword, signInByCode, session, user, sync, writeProfile, signOut, notReady }
}

const isOfApp = ({ headers, body }: Answer, field: string) =>
  /json/.test(headers['Content-Type'] ?? '') && String(body).includes(`"${field}"`)

function ofAccount(answer: Answer, { email }: TestAccount, what: string): string {
  if (expectStatus(answer, 200, what).json('email') !== email) throw new Error(`${what} is of somebody else`)
  return textField(answer, 'address')
}

function heldOf(answer: Answer): Held {
  return { idToken: textField(answer, 'id_token'), expiresIn: Number(answer.json('expires_in')) }
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
const randomText = (length: number) =>
  Array.from({ length }, () => letters[Math.floor(Math.random() * letters.length)]).join('')
