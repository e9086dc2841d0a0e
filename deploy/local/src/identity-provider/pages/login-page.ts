import type { Reply } from '../http.ts'
import type { RealmConfig } from '../realm-config.ts'
import { html } from './html.ts'
import { page } from './layout.ts'

export function loginPage(realm: RealmConfig, state: { email: string; error?: string }): Reply {
  const invalid = state.error === undefined ? html`` : html` aria-invalid="true" aria-describedby="login-error"`
  const body = html`${state.error !== undefined && html`<p class="error" id="login-error" role="alert">${state.error}</p>`}
<form method="post">
<label for="username">Email</label>
<input id="username" name="username" type="email" autocomplete="username" maxlength="254" required value="${state.email}"${invalid}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="128" required${invalid}>
<button type="submit">Sign in</button>
</form>`
  return page(realm, { title: 'Sign in', body })
}
