import type { Reply } from '../http.ts'
import type { RealmConfig } from '../realm-config.ts'
import { html } from './html.ts'
import { page } from './layout.ts'

function failurePage(realm: RealmConfig, title: string, what: string): Reply {
  const body = html`<p>${what}</p><p>Go back to ${realm.displayName} and start again.</p>`
  return page(realm, { status: 400, title, body })
}

/** A sign-in begun too long ago or in another browser. */
export const staleSignInPage = (realm: RealmConfig): Reply =>
  failurePage(realm, 'This sign-in has ended', 'It was begun too long ago or in another browser.')

/** Somebody else is signed in in this browser; it is not said who. */
export const otherPersonPage = (realm: RealmConfig): Reply =>
  failurePage(realm, 'Somebody else is signed in here', 'Sign out first: this browser belongs to another account.')

/** A request that no app of ours makes; the log has the detail, the page has none. */
export const badRequestPage = (realm: RealmConfig): Reply =>
  failurePage(realm, 'This address is not right', 'Something in it is missing or not allowed.')

export const signedOutPage = (realm: RealmConfig): Reply =>
  page(realm, { title: 'You are signed out', body: html`<p>You can close this page.</p>` })
