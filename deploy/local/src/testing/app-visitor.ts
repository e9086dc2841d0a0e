import { csrfHeader, facadeClientId, tokenPath, tokenResponseSchema } from '@parley/contracts/account/auth'
import { authApi } from '@parley/contracts/account/auth-endpoints'
import { profileApi } from '@parley/contracts/account/profile'

/** Maximum wait, that of the page itself: above every time limit of the app. */
const maxWaitMs = 15_000

export interface Reply {
  readonly status: number
  /** Parsed JSON; `undefined` where there was none. */
  readonly body: unknown
  /** Cookie that the answer set, as a browser sends it back; `""` for none. */
  readonly cookie: string
}

interface Content {
  readonly json?: unknown
  readonly form?: Record<string, string>
}

/** Calls as a page of the app makes them, in a browser with these credentials. An answer that does not come rejects. */
function createPage(app: string, credentials: Record<string, string> = {}) {
  return async function send(method: string, path: string, { json, form }: Content = {}): Promise<Reply> {
    const response = await fetch(`${app}${path}`, {
      method,
      headers: {
        'sec-fetch-site': 'same-origin',
        [csrfHeader]: '1',
        ...credentials,
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      body: form ? new URLSearchParams(form) : json === undefined ? null : JSON.stringify(json),
      signal: AbortSignal.timeout(maxWaitMs),
    })
    const text = await response.text()
    const cookies = response.headers.getSetCookie()
    const cookie = cookies.map((line) => line.split(';')[0]).join('; ')
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    return { status: response.status, body, cookie }
  }
}

interface Account {
  readonly email: string
  readonly password: string
}

/** Signs up in a browser of its own. */
export const signUp = (app: string, account: Account) => createPage(app)('POST', authApi.signUp.path, { json: account })

/** Signs in in a browser of its own. */
export const signIn = (app: string, { email, password }: Account) =>
  createPage(app)('POST', tokenPath, {
    form: { grant_type: 'password', client_id: facadeClientId, username: email, password },
  })

export type Visitor = Awaited<ReturnType<typeof createVisitor>>

/** A person with a new account who is signed in. */
export async function createVisitor(app: string, account: Account) {
  const { cookie, ...answer } = await signUp(app, account)
  if (answer.status !== authApi.signUp.status) throw new Error(`the sign-up answered ${JSON.stringify(answer)}`)
  const { body } = await createPage(app, { cookie })('GET', authApi.session.path)
  const { id_token: idToken } = tokenResponseSchema.parse(body)
  const call = createPage(app, { cookie, authorization: `Bearer ${idToken}` })
  return {
    session: () => call('GET', authApi.session.path),
    user: () => call('GET', profileApi.user.path),
    /** The user as the database has it. */
    sync: () => call('POST', profileApi.sync.path),
    change: (fields: Record<string, string>) => call('PATCH', profileApi.update.path, { json: fields }),
  }
}
