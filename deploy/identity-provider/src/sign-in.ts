import { type Request, type RequestHandler, type Response, Router } from 'express'
import { errors } from 'oidc-provider'
import { type Answer, formOf, pageUrl, queryOf, send } from './http.ts'
import { replacePassword } from './mail-links.ts'
import { sessionOfBrowser } from './oidc/sessions.ts'
import { loginPage, otherPersonPage, passwordFormPage, staleSignInPage } from './pages/pages.ts'
import { checkPassword } from './passwords.ts'
import { type Realm, signInLife } from './realm.ts'
import type { User } from './stores.ts'

/** One sign-in whose pages are under way in the browser that asked. */
export interface OpenSignIn {
  readonly req: Request
  readonly res: Response
  readonly uid: string
  readonly params: Readonly<Record<string, unknown>>
}

/** A handler for the browser that asked to sign in: the cookie of the page ties every form to it. */
export const withSignIn =
  (realm: Realm, handle: (signIn: OpenSignIn, realm: Realm) => Promise<Answer | undefined> | Answer): RequestHandler =>
  async (req, res) => {
    try {
      const { uid, params } = await realm.provider.interactionDetails(req, res)
      send(res, await handle({ req, res, uid, params }, realm))
    } catch (error) {
      if (!(error instanceof errors.SessionNotFound)) throw error
      send(res, staleSignInPage)
    }
  }

/** The hosted sign-in page of the authorization code flow, and the new password that an account may have to choose. */
export const signInRoutes = (realm: Realm): Router =>
  Router()
    .get('/:uid', withSignIn(realm, showLogin))
    .post('/:uid', withSignIn(realm, submitLogin))
    .all('/:uid/new-password', withSignIn(realm, chooseNewPassword))

function showLogin({ params, req, uid }: OpenSignIn): Answer {
  const wanted = queryOf(req)['kc_idp_hint'] ?? params['kc_idp_hint']
  if (wanted === 'google') return { next: `/realms/google-offline/accounts?state=${encodeURIComponent(uid)}` }
  const hint = params['login_hint']
  return loginPage(pageUrl(uid), typeof hint === 'string' ? hint : '')
}

async function submitLogin(signIn: OpenSignIn, realm: Realm): Promise<Answer | undefined> {
  const { username = '', password = '' } = formOf(signIn.req)
  const user = await checkPassword(realm, username, password)
  return user
    ? finishSignIn(realm, signIn, user, false)
    : loginPage(pageUrl(signIn.uid), username, 'Invalid email or password')
}

/** Finishes a sign-in once the person is identified. A new password that has to be chosen comes before the client hears of it. */
export async function finishSignIn(
  realm: Realm,
  signIn: OpenSignIn,
  user: User,
  viaGoogle: boolean,
): Promise<Answer | undefined> {
  const before = sessionOfBrowser(realm, signIn.req)
  // As in Keycloak, a browser with a live session is not given to another person.
  if (before && before.userId !== user.id) return otherPersonPage
  if (user.requiredActions.length === 0)
    return backToClient(realm, signIn, { login: { accountId: user.id, remember: false }, viaGoogle })
  realm.proven.put(signIn.uid, { userId: user.id, viaGoogle }, signInLife)
  return { next: pageUrl(signIn.uid, '/new-password') }
}

/** Sends the browser back to the client, with a sign-in or an error. */
export async function backToClient({ provider }: Realm, { req, res }: OpenSignIn, result: Record<string, unknown>) {
  await provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false })
  return undefined
}

async function chooseNewPassword(signIn: OpenSignIn, realm: Realm): Promise<Answer | undefined> {
  const { req, uid } = signIn
  const proven = realm.proven.find(uid)
  const user = proven && realm.users.find(proven.userId)
  if (!user?.enabled) return staleSignInPage
  if (user.requiredActions.length === 0) return finishSignIn(realm, signIn, user, proven?.viaGoogle ?? false)
  if (req.method !== 'POST') return passwordFormPage(user.email)
  return replacePassword(req, realm, { user }, () =>
    realm.users.find(user.id)?.requiredActions.length ? { next: pageUrl(uid, '/new-password') } : undefined,
  )
}
