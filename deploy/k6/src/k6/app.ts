import crypto from 'k6/crypto'
import http from 'k6/http'
import type { TestAccount } from '../test-accounts.ts'
import { type Answer, expectStatus, type TextParams, textField, Unexpected } from './answers.ts'

/** What a page holds of a session beside the cookie, which k6's jar keeps. */
export interface Held {
  readonly idToken: string
  /** Seconds, when it was handed out. */
  readonly expiresIn: number
}

const mostRedirects = 10

/** The app as its own page calls it: same origin, with the header that a foreign form cannot set. */
export function createApp(target: string) {
  const own = { origin: target, 'sec-fetch-site': 'same-origin', 'x-csrf': '1' }
  const params = (path: string, headers: Record<string, string> = {}): TextParams => ({
    responseType: 'text',
    redirects: 0,
    headers: { ...own, ...headers },
    tags: { name: path },
    timeout: '20s',
  })
  const json = { 'content-type': 'application/json' }

  function signInByPassword({ email, password }: TestAccount): Held {
    const form = { grant_type: 'password', client_id: 'spa', username: email, password }
    const answer = http.post(`${target}/auth/token`, form, params('/auth/token'))
    return heldOf(expectStatus(answer, 200, 'The password sign-in'))
  }

  /** Out to the provider's own login page and back, as the page's OIDC library does it (RFC 6749, RFC 7636). */
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
    const start = http.get(`${target}/auth/authorize?${query}`, params('/auth/authorize'))
    const login = followUntil(expectStatus(start, 303, 'The start of the code flow'), (url) => url.startsWith(target))
    expectStatus(login, 200, "The provider's login page")
    const submitted = login.submitForm({
      formSelector: 'form:has(input[name="username"])',
      fields: { username: email, password },
      params: { responseType: 'text', redirects: 0, tags: { name: 'provider login' }, timeout: '20s' },
    })
    const isHandler = (url: string) => url.startsWith(`${target}/auth/handler`)
    const back = followUntil(submitted, isHandler)
    const location = locationOf(back) ?? ''
    const code = /[?&]code=([^&]+)/.exec(location)?.[1]
    if (!isHandler(location) || code === undefined) throw new Unexpected('The end of the code flow', back)
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

  /** @throws where nobody is signed in any more. */
  function session(account: TestAccount): Held {
    const answer = expectStatus(http.get(`${target}/auth/session`, params('/auth/session')), 200, 'The session check')
    if (answer.json('authenticated') !== true) throw new SignedOut(answer)
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
   * Whether the app can serve, in words; `undefined` where it can. Behind an Ingress that does not route operators' paths,
   * as the chart's, somebody else answers for /readyz: then a call that the page makes first has to do.
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

/** The app answered, and says that nobody is signed in. */
export class SignedOut extends Unexpected {
  constructor(answer: Answer) {
    super('A session that should live has ended: the check', answer)
  }
}

function ofAccount(answer: Answer, { email }: TestAccount, what: string): string {
  if (answer.status === 401) throw new SignedOut(answer)
  if (expectStatus(answer, 200, what).json('email') !== email) throw new Error(`${what} is of somebody else`)
  return textField(answer, 'address')
}

function heldOf(answer: Answer): Held {
  return { idToken: textField(answer, 'id_token'), expiresIn: Number(answer.json('expires_in')) }
}

/** Follows redirects by hand up to one whose address `stop` names, so that a code is not spent on a page. */
function followUntil(from: Answer, stop: (url: string) => boolean): Answer {
  let answer = from
  for (let hop = 0; hop < mostRedirects; hop++) {
    const location = locationOf(answer)
    if (location === undefined || stop(location)) return answer
    answer = http.get(location, {
      responseType: 'text',
      redirects: 0,
      tags: { name: 'code flow redirect' },
      timeout: '20s',
    })
  }
  throw new Unexpected('The code flow goes in circles: it', answer)
}

function locationOf(answer: Answer): string | undefined {
  const location = answer.headers['Location']
  if (answer.status < 300 || answer.status > 399 || !location) return undefined
  if (/^https?:/.test(location)) return location
  const origin = /^https?:\/\/[^/]+/.exec(answer.url)?.[0] ?? ''
  return `${origin}${location.startsWith('/') ? '' : '/'}${location}`
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
const randomText = (length: number) =>
  Array.from({ length }, () => letters[Math.floor(Math.random() * letters.length)]).join('')
