import type { Reply } from '../http.ts'
import type { RealmConfig, SeedAccount } from '../realm-config.ts'
import { type Html, html } from './html.ts'
import { page } from './layout.ts'

interface LoginState {
  readonly email: string
  /** Where the form is sent. */
  readonly action: string
  readonly error?: string
}

/** The hosted sign-in page: e-mail and password, and what else the realm offers. */
export function loginPage(realm: RealmConfig, state: LoginState): Reply {
  return page(realm, {
    title: realm.showcase?.title ?? 'Sign in',
    body: html`${state.error !== undefined && html`<p class="error" id="login-error" role="alert">${state.error}</p>`}
${realm.showcase ? chooser(realm.showcase, state) : passwordForm(state)}
${
  realm.broker &&
  html`<p class="divider">or</p>
<a class="button secondary" id="social-${realm.broker.alias}" href="${state.action}?kc_idp_hint=${realm.broker.alias}">Continue with ${realm.broker.displayName}</a>`
}`,
  })
}

function passwordForm({ email, action, error }: LoginState): Html {
  const invalid = error === undefined ? html`` : html` aria-invalid="true" aria-describedby="login-error"`
  return html`<form method="post" action="${action}">
<label for="username">Email</label>
<input id="username" name="username" type="email" autocomplete="username" maxlength="254" required value="${email}"${invalid}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="128" required${invalid}>
<button type="submit">Sign in</button>
</form>`
}

/** One button for each made-up account, as the real Google offers the accounts that it knows. */
function chooser({ accounts, password }: NonNullable<RealmConfig['showcase']>, state: LoginState): Html {
  const open = state.error === undefined ? html`` : html` open`
  return html`<p>Nobody here is real and nothing leaves this computer. Choose an account:</p>
<form method="post" action="${state.action}">
${accounts.map(accountButton)}</form>
<details${open}><summary>Type an address and password</summary>
<p>The password of all of them is <strong>${password}</strong>.</p>
${passwordForm(state)}
</details>
<form method="post" action="${state.action}"><button class="secondary" type="submit" name="cancel" value="yes">Cancel</button></form>`
}

const accountButton = ({ email, firstName, lastName, emailVerified }: SeedAccount): Html =>
  html`<button class="secondary account" type="submit" name="account" value="${email}"><strong>${[firstName, lastName].filter(Boolean).join(' ')}</strong> ${email}${!emailVerified && ' (not verified)'}</button>
`
