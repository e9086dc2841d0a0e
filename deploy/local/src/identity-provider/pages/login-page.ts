import type { Reply } from '../http.ts'
import type { RealmConfig } from '../realm-config.ts'
import { html } from './html.ts'
import { page } from './layout.ts'

/** The hosted sign-in page: e-mail and password, and what else the realm offers. */
export function loginPage(realm: RealmConfig, state: { email: string; action: string; error?: string }): Reply {
  const invalid = state.error === undefined ? html`` : html` aria-invalid="true" aria-describedby="login-error"`
  const body = html`${state.error !== undefined && html`<p class="error" id="login-error" role="alert">${state.error}</p>`}
${accountChooser(realm, state.action)}
<form method="post" action="${state.action}">
<label for="username">Email</label>
<input id="username" name="username" type="email" autocomplete="username" maxlength="254" required value="${state.email}"${invalid}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="128" required${invalid}>
<button type="submit">Sign in</button>
</form>
${
  realm.broker &&
  html`<p class="divider">or</p>
<a class="button secondary" id="social-${realm.broker.alias}" href="${state.action}?kc_idp_hint=${realm.broker.alias}">Continue with ${realm.broker.displayName}</a>`
}
${realm.showcase && html`<form method="post" action="${state.action}"><button class="secondary" type="submit" name="cancel" value="yes">Cancel</button></form>`}`
  return page(realm, { title: realm.showcase?.title ?? 'Sign in', body })
}

/** One button for each made-up account, as the real Google offers the accounts that it knows. */
function accountChooser({ showcase }: RealmConfig, action: string) {
  if (!showcase) return undefined
  const buttons = showcase.accounts.map(
    ({ email, firstName, lastName, emailVerified }) =>
      html`<button class="secondary account" type="submit" name="account" value="${email}"><strong>${[firstName, lastName].filter(Boolean).join(' ')}</strong> ${email}${!emailVerified && ' (not verified)'}</button>
`,
  )
  return html`<p>Nobody here is real and nothing leaves this computer. Choose an account:</p>
<form method="post" action="${action}">
${buttons}</form>
<p class="divider">or type one; their password is ${showcase.password}</p>`
}
