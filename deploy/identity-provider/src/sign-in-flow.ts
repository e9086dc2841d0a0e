import type { IncomingMessage } from 'node:http'
import { errors, type Provider } from 'oidc-provider'
import { z } from 'zod'
import type { Call, Handler, Reply } from './http.ts'
import { otherPersonPage, staleSignInPage } from './pages/messages.ts'
import type { RealmConfig } from './realm-config.ts'
import type { Database } from './store/database.ts'
import { createFlowRecords } from './store/flow-records.ts'
import type { SessionStore } from './store/sessions.ts'
import type { User } from './store/users.ts'

/** Seconds for which the pages of one sign-in can be left open. */
export const signInLife = 1800

/** One sign-in whose pages are under way in the browser that asked. */
export interface OpenSignIn {
  readonly call: Call
  readonly uid: string
  readonly params: Readonly<Record<string, unknown>>
}

const provenSchema = z.object({
  userId: z.string(),
  /** Alias of the provider that vouched; null for a password. */
  identityProvider: z.string().nullable(),
  /** The mail that this sign-in waits for has been sent. */
  mailed: z.boolean(),
})
export type Proven = z.infer<typeof provenSchema>

export type SignInFlow = ReturnType<typeof createSignInFlow>

/** Names the session that was started last in a browser. It signs nobody in. */
export const browserSessionCookie = 'browser_session'
const browserSessionPattern = new RegExp(`(?:^|; )${browserSessionCookie}=([\\w-]+)`)

/** The session that was started last in the browser that asks, if it lives. */
export function sessionOfBrowser({ headers }: IncomingMessage, sessions: Pick<SessionStore, 'find'>) {
  const sid = browserSessionPattern.exec(headers.cookie ?? '')?.[1]
  return sid === undefined ? undefined : sessions.find(sid)
}

export const redirect = (location: string): Reply => ({ status: 303, headers: { Location: location } })

/** The pages between a client's request and the answer to it. */
export function createSignInFlow({
  realm,
  provider,
  database,
  sessions,
}: {
  realm: RealmConfig
  provider: Provider
  database: Database
  sessions: Pick<SessionStore, 'find'>
}) {
  const proven = createFlowRecords(database, 'ProvenSignIn', provenSchema)
  const base = `/realms/${realm.name}/login-actions/authenticate`

  const pageUrl = (uid: string, page?: string) => (page === undefined ? `${base}/${uid}` : `${base}/${uid}/${page}`)

  /** A handler for the browser that asked to sign in: the cookie of the page ties every form to it. */
  function withSignIn(handle: (signIn: OpenSignIn) => Promise<Reply | undefined> | Reply | undefined): Handler {
    return async (call) => {
      try {
        const { uid, params } = await provider.interactionDetails(call.req, call.res)
        return await handle({ call, uid, params })
      } catch (error) {
        if (!(error instanceof errors.SessionNotFound)) throw error
        return staleSignInPage(realm)
      }
    }
  }

  /** Who it is has been shown. What the account must do first is asked before the client hears of it. */
  async function finish(signIn: OpenSignIn, user: User, identityProvider: string | null): Promise<Reply | undefined> {
    if (isTaken(signIn.call, user)) return otherPersonPage(realm)
    if (user.requiredActions.length > 0) {
      proven.put(signIn.uid, { userId: user.id, identityProvider, mailed: false }, signInLife)
      return redirect(pageUrl(signIn.uid, 'required-action'))
    }
    const login = { accountId: user.id, acr: '1', remember: false }
    const result = { login, ...(identityProvider !== null && { identityProvider }) }
    await provider.interactionFinished(signIn.call.req, signIn.call.res, result, { mergeWithLastSubmission: false })
    return undefined
  }

  /** As in Keycloak, a browser in which somebody's session lives is given to nobody else. Google is: one chooses there. */
  function isTaken({ req }: Call, user: User): boolean {
    const before = realm.showcase ? undefined : sessionOfBrowser(req, sessions)
    return before !== undefined && before.userId !== user.id
  }

  const keepProven = (uid: string, value: Proven) => proven.put(uid, value, signInLife)

  /** Sends the browser back to the client without a sign-in. */
  async function abort(signIn: OpenSignIn, error: string, description: string): Promise<undefined> {
    const result = { error, error_description: description }
    await provider.interactionFinished(signIn.call.req, signIn.call.res, result)
    return undefined
  }

  return { base, pageUrl, withSignIn, finish, abort, findProven: proven.find, keepProven }
}
