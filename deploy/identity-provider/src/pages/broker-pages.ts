import type { Reply } from '../http.ts'
import type { BrokerConfig, RealmConfig } from '../realm-config.ts'
import { html } from './html.ts'
import { page } from './layout.ts'

/** Asks the owner of an existing account for a proof before another provider may open it. */
export function linkPage(
  realm: RealmConfig,
  broker: BrokerConfig,
  state: {
    email: string
    takesPassword: boolean
    action: string
    cancel: string
    error?: string
    mailed?: boolean
  },
): Reply {
  const name = broker.displayName
  const invalid = state.error === undefined ? html`` : html` aria-invalid="true" aria-describedby="link-error"`
  const body = html`<p>There is a ${realm.displayName} account for <strong>${state.email}</strong> already. Show that it is yours, and ${name} opens it from now on.</p>
${state.error !== undefined && html`<p class="error" id="link-error" role="alert">${state.error}</p>`}
${state.mailed && html`<p role="status">A mail is on its way to <strong>${state.email}</strong>. Open its link, then <a href="${state.action}">continue here</a>.</p>`}
${
  state.takesPassword &&
  html`<form method="post" action="${state.action}">
<input hidden type="text" name="username" autocomplete="username" value="${state.email}" readonly>
<label for="password">${realm.displayName} password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="128" required${invalid}>
<button type="submit">Link and sign in</button>
</form>`
}
<form method="post" action="${state.action}"><button class="secondary" type="submit" name="mail" value="yes">Send a link by mail ${state.takesPassword ? 'instead' : ''}</button></form>
<form method="post" action="${state.cancel}"><button class="secondary" type="submit">Cancel</button></form>`
  return page(realm, { title: `Link your ${name} account`, body })
}

/** Where the mailed link leads; its button is the only thing that acts. */
export const confirmLinkPage = (realm: RealmConfig, broker: BrokerConfig, email: string): Reply =>
  page(realm, {
    title: `Link your ${broker.displayName} account`,
    body: html`<p>Someone has just signed in with the ${broker.displayName} account <strong>${email}</strong> and wants it to open the ${realm.displayName} account of that address.</p>
<p>If that was not you, close this page: nothing happens without the button.</p>
<form method="post"><button type="submit">Link ${broker.displayName}</button></form>`,
  })

export const linkConfirmedPage = (realm: RealmConfig, broker: BrokerConfig, next: string): Reply =>
  page(realm, {
    title: 'Confirmed',
    body: html`<p>${broker.displayName} may open this account now. Go back to the window where you signed in and continue there.</p>
<p><a href="${next}">Continue in this window</a></p>`,
  })

const refusals = {
  disabled: () => 'The account that it opens is disabled.',
  unverified: (broker: BrokerConfig) =>
    `There is an account for this address already, and ${broker.displayName} has not verified that the address is yours.`,
  'linked-elsewhere': (broker: BrokerConfig) =>
    `The account for this address is already opened by another ${broker.displayName} account.`,
} as const

/** For an identity that opens no account here. */
export function refusedIdentityPage(
  realm: RealmConfig,
  broker: BrokerConfig,
  { reason, email, action }: { reason: keyof typeof refusals; email: string; action: string },
): Reply {
  const body = html`<p><strong>${email}</strong> cannot be used here. ${refusals[reason](broker)}</p>
<form method="post" action="${action}"><button type="submit">Back to ${realm.displayName}</button></form>`
  return page(realm, { status: 403, title: `${broker.displayName} sign-in not possible`, body })
}
