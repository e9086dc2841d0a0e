import type { IncomingMessage } from 'node:http'
import type { Request, RequestHandler, Response } from 'express'
import { errors } from 'oidc-provider'
import { answer, type Reply, redirect } from './http.ts'
import { otherPersonPage, staleSignInPage } from './pages/pages.ts'
import type { Realm } from './realm.ts'
import type { Session } from './store/sessions.ts'
import type { User } from './store/users.ts'

/** Seconds for which the pages of one sign-in can be left open. */
export const signInLife = 1800

/** One sign-in whose pages are under way in the browser that asked. */
export interface OpenSignIn {
  readonly req: Request
  readonly res: Response
  readonly uid: string
  readonly params: Readonly<Record<string, unknown>>
}

export const pageUrl = ({ config }: Realm, uid: string, page = ''): string =>
  `/realms/${config.name}/login-actions/authenticate/${uid}${page && `/${page}`}`

/** A handler for the browser that asked to sign in: the cookie of the page ties every form to it. */
export function withSignIn(
  realm: Realm,
  handle: (signIn: OpenSignIn) => Promise<Reply | undefined> | Reply | undefined,
): RequestHandler {
  return answer(async (req, res) => {
    try {
      const { uid, params } = await realm.provider.interactionDetails(req, res)
      return await handle({ req, res, uid, params })
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return staleSignInPage(realm.config)
      throw error
    }
  })
}

/** Finishes a sign-in once the person is identified. Required actions of the account come before the client hears of it. */
export async function finishSignIn(realm: Realm, signIn: OpenSignIn, login: { user: User; viaGoogle: boolean }) {
  const { user, viaGoogle } = login
  // As in Keycloak, a browser with a live session is not given to another person. The realm that plays Google allows it: people
  // choose there.
  const before = realm.config.people ? undefined : sessionOfBrowser(realm, signIn.req)
  if (before && before.userId !== user.id) return otherPersonPage(realm.config)
  if (user.requiredActions.length > 0) {
    realm.proven.put(signIn.uid, { userId: user.id, viaGoogle, mailed: false }, { lifeSeconds: signInLife })
    return redirect(pageUrl(realm, signIn.uid, 'required-action'))
  }
  return backToClient(realm, signIn, { login: { accountId: user.id, acr: '1', remember: false }, viaGoogle })
}

/** Sends the browser back to the client, with a sign-in or an error. */
export async function backToClient({ provider }: Realm, { req, res }: OpenSignIn, result: Record<string, unknown>) {
  await provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false })
  return undefined
}

/** Cookie that names the session that was started last in a browser. It signs no one in. */
export const browserSessionCookie = 'browser_session'
const browserSessionPattern = new RegExp(`(?:^|; )${browserSessionCookie}=([\\w-]+)`)

/** The session that was started last in the browser that asks, if it lives. */
export function sessionOfBrowser(
  { sessions }: Pick<Realm, 'sessions'>,
  { headers }: IncomingMessage,
): Session | undefined {
  const sid = browserSessionPattern.exec(headers.cookie ?? '')?.[1]
  return sid === undefined ? undefined : sessions.find(sid)
}
