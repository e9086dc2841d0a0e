import { Router } from 'express'
import { upstreamUrl } from './google/upstream.ts'
import { formOf, queryOf, type Reply, redirect } from './http.ts'
import { mailLink } from './mail-links.ts'
import { readNewPassword, replacePassword } from './new-password.ts'
import { loginPage, passwordFormPage, staleSignInPage, verifyFirstPage } from './pages/pages.ts'
import type { Realm } from './realm.ts'
import { peoplesPassword } from './realm-config.ts'
import { checkPassword } from './sign-in.ts'
import { backToClient, finishSignIn, type OpenSignIn, pageUrl, signInLife, withSignIn } from './sign-in-flow.ts'
import type { User } from './store/users.ts'

/** The hosted sign-in page of the authorization code flow, and what an account must do before its sign-in goes on. */
export const signInRoutes = (realm: Realm): Router =>
  Router()
    .get(
      '/:uid',
      withSignIn(realm, (signIn) => showLogin(signIn, realm)),
    )
    .post(
      '/:uid',
      withSignIn(realm, (signIn) => submitLogin(signIn, realm)),
    )
    .all(
      '/:uid/required-action',
      withSignIn(realm, (signIn) => requiredAction(signIn, realm)),
    )

async function showLogin({ params, req, uid }: OpenSignIn, realm: Realm): Promise<Reply> {
  const { google } = realm.config
  const wanted = queryOf(req)['kc_idp_hint'] ?? params['kc_idp_hint']
  if (google && wanted === 'google') return redirect((await upstreamUrl(realm, google, uid)).href)
  const hint = params['login_hint']
  return loginPage(realm.config, { email: typeof hint === 'string' ? hint : '', action: pageUrl(realm, uid) })
}

async function submitLogin(signIn: OpenSignIn, realm: Realm): Promise<Reply | undefined> {
  const { people } = realm.config
  const form = formOf(signIn.req)
  if (people && 'cancel' in form) return backToClient(realm, signIn, { error: 'access_denied' })
  const chosen = people?.find(({ email }) => email === form['account'])
  const email = chosen?.email ?? form['username'] ?? ''
  const result = await checkPassword(realm, email, chosen ? peoplesPassword : (form['password'] ?? ''))
  if (result.ok) return finishSignIn(realm, signIn, { user: result.user, viaGoogle: false })
  return loginPage(realm.config, { email, action: pageUrl(realm, signIn.uid), error: refusals[result.reason] })
}

const refusals = { credentials: 'Invalid email or password', disabled: 'This account is disabled.' } as const

async function requiredAction(signIn: OpenSignIn, realm: Realm): Promise<Reply | undefined> {
  const { uid, req } = signIn
  const proven = realm.proven.find(uid)
  const user = proven && realm.users.find(proven.userId)
  if (!proven || !user?.enabled) return staleSignInPage(realm.config)
  const isSubmitted = req.method === 'POST'
  const [action] = user.requiredActions
  if (!action) return finishSignIn(realm, signIn, { user, viaGoogle: proven.viaGoogle })
  if (action === 'UPDATE_PASSWORD')
    return isSubmitted ? updatePassword(signIn, user, realm) : passwordFormPage(realm.config, user.email)
  if (proven.mailed && !isSubmitted) return verifyFirstPage(realm.config, user.email, true)
  const mailed = await mailLink(realm, user, { action, lifespanSeconds: 3600 })
  realm.proven.put(uid, { ...proven, mailed }, { lifeSeconds: signInLife })
  return verifyFirstPage(realm.config, user.email, mailed)
}

async function updatePassword({ req, uid }: OpenSignIn, { id, email }: User, realm: Realm): Promise<Reply> {
  const { hash, refusal } = await readNewPassword(realm, req, email)
  if (refusal) return refusal
  // Only the first of two forms sent at once counts.
  const actions = realm.users.find(id)?.requiredActions ?? []
  if (!actions.includes('UPDATE_PASSWORD')) return staleSignInPage(realm.config)
  await replacePassword(realm, id, { hash, requiredActions: actions.filter((name) => name !== 'UPDATE_PASSWORD') })
  return redirect(pageUrl(realm, uid, 'required-action'))
}
