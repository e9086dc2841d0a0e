import { randomUUID } from 'node:crypto'
import { authSessionSchema, csrfHeader, tokenResponseSchema } from '@parley/contracts/account/auth'
import { authApi } from '@parley/contracts/account/auth-endpoints'
import { profileApi, userSchema } from '@parley/contracts/account/profile'
import { type Reply, signIn, signUp } from '@parley/local/testing/app-visitor'

/** An answer that is no success. */
export class Refusal extends Error {
  readonly status: number
  constructor(what: string, status: number, answer: string) {
    super(`${what} answered ${status}: ${answer}`)
    this.status = status
  }
}

/** Calls of one origin, with JSON, or bytes as they are. @throws Refusal where an answer is one. */
export const createAsk =
  (origin: string, headers: Record<string, string> = {}) =>
  async (method: string, path: string, body?: object | Uint8Array<ArrayBuffer>): Promise<unknown> => {
    const isBytes = body instanceof Uint8Array
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: {
        ...headers,
        ...(body && { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' }),
        ...(body && method === 'POST' && { 'idempotency-key': randomUUID() }),
      },
      ...(body && { body: isBytes ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Refusal(`${method} ${path}`, answer.status, text)
    return text === '' ? undefined : JSON.parse(text)
  }
export type Ask = ReturnType<typeof createAsk>

/** One person's browser, which calls as the page of the app does. @param app origin of the BFF. */
export function createPerson(app: string, email: string) {
  const account = { email, password: 'correct horse battery' }
  let [cookie, idToken] = ['', '']
  const page = (more: Record<string, string> = {}) =>
    createAsk(app, { cookie, 'sec-fetch-site': 'same-origin', [csrfHeader]: '1', ...more })

  function expectStatus({ status, body }: Reply, expected: number, what: string): void {
    if (status !== expected) throw new Refusal(what, status, JSON.stringify(body))
  }
  /**
   * @returns the stored address.
   * @throws where the answer is about another user.
   */
  function ownAddress(answer: unknown): string {
    const user = userSchema.parse(answer)
    if (user.email !== email) throw new Error(`the answer is about ${user.email}`)
    return user.address
  }

  return {
    email,
    signUp: async () => expectStatus(await signUp(app, account), authApi.signUp.status, 'the sign-up'),
    signIn: async () => {
      const answer = await signIn(app, account)
      expectStatus(answer, 200, 'the sign-in')
      cookie = answer.cookie
      idToken = tokenResponseSchema.parse(answer.body).id_token
    },
    user: async () => ownAddress(await page()('GET', profileApi.user.path)),
    /** @returns whether the token was renewed: the app does that where it has less than 90 s left. */
    session: async () => {
      const answer = authSessionSchema.parse(await page()('GET', authApi.session.path))
      if (!answer.authenticated) throw new Refusal('the session check', 401, 'nobody is signed in')
      const isNew = answer.id_token !== idToken
      idToken = answer.id_token
      return isNew
    },
    write: async (address: string) => {
      const call = page({ authorization: `Bearer ${idToken}` })
      const stored = ownAddress(await call('PATCH', profileApi.update.path, { address }))
      if (stored !== address) throw new Error('the answer lacks the change')
    },
    signOut: async () => {
      await page()('POST', authApi.signOut.path)
    },
  }
}
export type Person = ReturnType<typeof createPerson>
