import { authApi, csrfHeader, facadeClientId, tokenPath } from '@parley/contracts/auth'
import { profileApi } from '@parley/contracts/profile'
import { z } from 'zod'

/** One person's browser, as far as the measured calls need it. */
export interface Person {
  readonly email: string
  cookie: string
  idToken: string
}

const password = 'correct horse battery'

/** The calls that are measured, each as the page makes it. @param app origin of the BFF. */
export function callsOf(app: string) {
  const own = { 'sec-fetch-site': 'same-origin', [csrfHeader]: '1' }
  const json = { ...own, 'content-type': 'application/json' }

  async function call(method: string, path: string, init: { headers: Record<string, string>; body?: string }) {
    const answer = await fetch(`${app}${path}`, { method, redirect: 'manual', ...init })
    const text = await answer.text()
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0]
    return { cookie, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
  }
  const idTokenIn = (body: unknown) => z.object({ id_token: z.string() }).parse(body).id_token

  return {
    signUp: async (person: Person) => {
      const body = JSON.stringify({ email: person.email, password })
      await call('POST', authApi.signUp.path, { headers: json, body })
    },
    signIn: async (person: Person) => {
      const form = { grant_type: 'password', client_id: facadeClientId, username: person.email, password }
      const headers = { ...own, 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await call('POST', tokenPath, { headers, body: String(new URLSearchParams(form)) })
      person.cookie = answer.cookie ?? ''
      person.idToken = idTokenIn(answer.body)
    },
    user: async ({ cookie }: Person) => {
      await call('GET', profileApi.user.path, { headers: { ...own, cookie } })
    },
    session: async (person: Person) => {
      const { body } = await call('GET', authApi.session.path, { headers: { ...own, cookie: person.cookie } })
      person.idToken = idTokenIn(body)
    },
    /** The app renews a token that has less than 90 s left. @throws where it did not. */
    refresh: async (person: Person) => {
      const { body } = await call('GET', authApi.session.path, { headers: { ...own, cookie: person.cookie } })
      const renewed = idTokenIn(body)
      if (renewed === person.idToken) throw new Error('the token was not renewed')
      person.idToken = renewed
    },
    write: async ({ cookie, idToken }: Person, turn: number) => {
      const headers = { ...json, cookie, authorization: `Bearer ${idToken}` }
      await call('PATCH', profileApi.update.path, { headers, body: JSON.stringify({ address: `number ${turn}` }) })
    },
    signOut: async ({ cookie }: Person) => {
      await call('POST', authApi.signOut.path, { headers: { ...own, cookie } })
    },
  }
}
