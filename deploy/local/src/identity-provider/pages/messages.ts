import type { Reply } from '../http.ts'
import type { RealmConfig } from '../realm-config.ts'
import { html } from './html.ts'
import { page } from './layout.ts'

/** Something in the request cannot be right; the page says so without any inner detail. */
export function errorPage(realm: RealmConfig, detail: string, status = 400): Reply {
  const body = html`<p>${sentence(detail)}</p><p>Go back to ${realm.displayName} and start again.</p>`
  return page(realm, { status, title: 'That did not work', body })
}

export const signedOutPage = (realm: RealmConfig): Reply =>
  page(realm, { title: 'You are signed out', body: html`<p>You can close this page.</p>` })

function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(start) ? start : `${start}.`
}
