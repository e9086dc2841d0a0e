import { csrfHeader, tokenResponseSchema } from '@parley/contracts/account/auth'
import { authApi } from '@parley/contracts/account/auth-endpoints'
import { profileApi } from '@parley/contracts/account/profile'
import { linkFrom } from '@parley/e2e/mail'
import { signIn, signUp } from '@parley/local/testing/app-visitor'
import { useMailLink } from '@parley/service-kit/testing/provider-browser'
import { appUrl, handed, until } from './stack.ts'

const password = 'correct horse'
const mailUrl = `http://127.0.0.1:${handed.MAIL_PORT}`
const newEmail = () => `compose-${process.pid}-${Date.now()}@parley.test`

/** A Keycloak that has just begun may take longer for its first account than the app waits for it. */
async function signUpPatiently() {
  const deadline = performance.now() + 300_000
  for (;;) {
    const email = newEmail()
    const { status, cookie } = await signUp(appUrl, { email, password })
    if (status === authApi.signUp.status) return { email, cookie }
    if (status < 500 || performance.now() > deadline) throw new Error(`the sign-up answered ${status}`)
  }
}

/** Creates a person who is signed in, and stays so in one browser. */
export async function createPerson() {
  const { email, cookie } = await signUpPatiently()

  async function call(method: string, path: string, { body, token }: { body?: unknown; token?: string } = {}) {
    const answer = await fetch(`${appUrl}${path}`, {
      method,
      headers: {
        cookie,
        'sec-fetch-site': 'same-origin',
        [csrfHeader]: '1',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    })
    return { status: answer.status, body: (await answer.json()) as unknown }
  }

  return {
    email,
    call,
    /** Stores an address; the answer says that the database has it. */
    async moveTo(address: string) {
      const { id_token: token } = tokenResponseSchema.parse((await call('GET', authApi.session.path)).body)
      const fields = { firstName: 'Ann', lastName: 'Stone', mobile: '+919876543210', timezone: 'Asia/Kolkata', address }
      return call('PATCH', profileApi.update.path, { body: fields, token })
    },
    /** Opens the link of the verification mail; resolves once the session knows of it. */
    async verify() {
      await useMailLink(await linkFrom(mailUrl, email, 'Verify email'))
      await until('a verified session', async () => {
        const { body } = await call('POST', authApi.reload.path)
        return authApi.reload.response.parse(body).emailVerified
      })
    },
    user: () => call('GET', profileApi.user.path),
    signInAnew: () => signIn(appUrl, { email, password }),
  }
}
export type Person = Awaited<ReturnType<typeof createPerson>>
