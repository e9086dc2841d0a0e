import type { Reply } from '../http.ts'
import type { RealmConfig } from '../realm-config.ts'
import { html } from './html.ts'
import { page } from './layout.ts'

const verifyStates = {
  sent: 'Before you go on, show that this address is yours. A mail is on its way: open its link, then continue here.',
  failed: 'The mail could not be sent. Try again in a moment.',
} as const

/** For an account whose address must be proven before it may sign in. */
export function verifyFirstPage(realm: RealmConfig, email: string, state: keyof typeof verifyStates): Reply {
  const body = html`<p role="status"><strong>${email}</strong>: ${verifyStates[state]}</p>
${state === 'sent' && html`<p><a href="">Continue</a></p>`}
<form method="post"><button type="submit">Send it again</button></form>`
  return page(realm, { title: 'Verify your email address', body })
}

/** Keycloak knows actions that this stand-in has no page for. */
export const unknownActionPage = (realm: RealmConfig, action: string): Reply =>
  page(realm, {
    status: 400,
    title: 'This account needs something else first',
    body: html`<p>Its administrator asks for “${action}”, for which the local identity provider has no page.</p>`,
  })
