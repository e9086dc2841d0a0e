import { Router } from 'express'
import { AuthorizationResponseError } from 'openid-client'
import { answer, formOf, queryOf, type Reply, redirect } from '../http.ts'
import { mailLink } from '../mail-links.ts'
import { linkPage, loginPage, refusedIdentityPage, staleSignInPage } from '../pages/pages.ts'
import type { Realm } from '../realm.ts'
import type { GoogleConfig } from '../realm-config.ts'
import { checkPassword } from '../sign-in.ts'
import { backToClient, finishSignIn, type OpenSignIn, pageUrl, signInLife, withSignIn } from '../sign-in-flow.ts'
import type { User } from '../store/users.ts'
import { linkTo, settle } from './settle.ts'
import { identify } from './upstream.ts'

type Answer = Promise<Reply | undefined>

/**
 * Answers the address, under Keycloak's path, to which Google sends the browser. The cookie of the sign-in does not reach it; so
 * it only passes the answer on to the sign-in's own pages.
 */
export const googleEndpoint = (realm: Realm) =>
  answer((req) => {
    const uid = encodeURIComponent(queryOf(req)['state'] ?? '')
    return redirect(pageUrl(realm, uid, 'google') + new URL(req.originalUrl, realm.issuer).search)
  })

/** The pages of a sign-in by which Google's answer opens an account. */
export const googleRoutes = (realm: Realm, google: GoogleConfig): Router =>
  Router()
    .get(
      '/:uid/google',
      withSignIn(realm, (signIn) => comeBack(signIn, google, realm)),
    )
    .all(
      '/:uid/link',
      withSignIn(realm, (signIn) => link(signIn, realm)),
    )
    .post(
      '/:uid/cancel',
      withSignIn(realm, (signIn) => backToClient(realm, signIn, cancelled)),
    )

const cancelled = { error: 'access_denied', error_description: 'The sign-in with Google was cancelled.' }

async function comeBack(signIn: OpenSignIn, google: GoogleConfig, realm: Realm): Answer {
  const { uid, req, params } = signIn
  try {
    const identity = await identify(realm, google, { uid, query: new URL(req.originalUrl, realm.issuer).search })
    if (!identity) return staleSignInPage(realm.config)
    const settled = settle(identity, realm)
    if (settled.kind === 'signed-in') return await finishSignIn(realm, signIn, { user: settled.user, viaGoogle: true })
    if (settled.kind === 'refused')
      return refusedIdentityPage(realm.config, {
        email: identity.email,
        reason: settled.reason,
        cancel: pageUrl(realm, uid, 'cancel'),
      })
    realm.waitingLinks.put(uid, { userId: settled.user.id, identity, confirmed: false }, { lifeSeconds: signInLife })
    return redirect(pageUrl(realm, uid, 'link'))
  } catch (error) {
    if (!(error instanceof AuthorizationResponseError && error.error === 'access_denied')) {
      realm.logger.warn({ err: error }, 'sign-in at Google failed')
      return backToClient(realm, signIn, { error: 'server_error' })
    }
    // A person sent straight to Google goes back to the client; one who came from our page returns to it.
    if (params['kc_idp_hint'] === 'google') return backToClient(realm, signIn, cancelled)
    return loginPage(realm.config, { email: '', action: pageUrl(realm, uid), error: cancelled.error_description })
  }
}

const linkFailures = {
  credentials: 'That is not the password of this account.',
  disabled: 'This account is disabled.',
  unproven: 'The address of this account has not been verified, so its password is not enough. Use the mail.',
  unsent: 'The mail could not be sent. Try again in a moment.',
} as const

/** The page that asks the owner of an existing account, by its password or its mail, whether to link it. */
async function link(signIn: OpenSignIn, realm: Realm): Answer {
  const { uid, req } = signIn
  const waiting = realm.waitingLinks.find(uid)
  const user = waiting && realm.users.find(waiting.userId)
  // The address is all that the two have in common; without it there is nothing to link.
  if (!waiting || user?.email !== waiting.identity.email) return staleSignInPage(realm.config)
  // The person who made the account may not own the address: Keycloak asks for the mail as well.
  const takesPassword = user.emailVerified && user.password !== null
  const asked = {
    email: user.email,
    takesPassword,
    action: pageUrl(realm, uid, 'link'),
    cancel: pageUrl(realm, uid, 'cancel'),
  }
  const show = (state: { error?: string; mailed?: boolean } = {}) => linkPage(realm.config, { ...asked, ...state })
  if (req.method !== 'POST') {
    if (!waiting.confirmed) return show()
    // A person who confirmed reads the account's mail, so its address is verified too.
    return user.enabled ? finishLink(signIn, user, realm) : show({ error: linkFailures.disabled })
  }
  const form = formOf(req)
  if ('mail' in form) {
    const mailed = await mailLink(realm, user, { action: 'LINK_ACCOUNT', uid, lifespanSeconds: 900 })
    return show(mailed ? { mailed } : { error: linkFailures.unsent })
  }
  if (!takesPassword) return show({ error: linkFailures.unproven })
  const result = await checkPassword(realm, user.email, form['password'] ?? '')
  return result.ok ? finishLink(signIn, result.user, realm) : show({ error: linkFailures[result.reason] })
}

function finishLink(signIn: OpenSignIn, { id }: User, realm: Realm): Answer | Reply {
  // Only one of two simultaneous answers links.
  const waiting = realm.waitingLinks.remove(signIn.uid)
  const user = waiting?.userId === id ? realm.users.update(id, { emailVerified: true }) : undefined
  if (!waiting || !user) return staleSignInPage(realm.config)
  return finishSignIn(realm, signIn, { user: linkTo(user, waiting.identity, realm), viaGoogle: true })
}
