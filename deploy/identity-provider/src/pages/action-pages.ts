import type { Reply } from '../http.ts'
import type { RealmConfig } from '../realm-config.ts'
import { html } from './html.ts'
import { page } from './layout.ts'

/** The only button on the page: a mail scanner that opens the link changes nothing. */
export const confirmEmailPage = (realm: RealmConfig, email: string): Reply =>
  page(realm, {
    title: 'Confirm your email address',
    body: html`<p>Confirm that <strong>${email}</strong> is yours to finish setting up your ${realm.displayName} account.</p>
<form method="post"><button type="submit">Confirm email address</button></form>`,
  })

export function emailVerifiedPage(realm: RealmConfig, email: string, redirectUri: string | null): Reply {
  const body = html`<p><strong>${email}</strong> is verified. If you left ${realm.displayName} open in another tab, it continues by itself and you can close this page.</p>
${backLink(realm, redirectUri)}`
  return page(realm, { title: 'Your email address is verified', body })
}

export function alreadyVerifiedPage(realm: RealmConfig, email: string, redirectUri: string | null): Reply {
  const body = html`<p><strong>${email}</strong> has been verified already. There is nothing left to do here.</p>
${backLink(realm, redirectUri)}`
  return page(realm, { title: 'Already verified', body })
}

/** For a link that has expired, was used, or never existed: which of them is nobody's business but the owner's. */
export const deadLinkPage = (realm: RealmConfig): Reply =>
  page(realm, {
    status: 400,
    title: 'This link no longer works',
    body: html`<p>It has expired or has been used before.</p>
<p>Go back to ${realm.displayName} and ask for a new mail, then open the link in the newest one.</p>`,
  })

export interface PasswordFormError {
  readonly field: 'password-new' | 'password-confirm'
  readonly message: string
}

export function passwordFormPage(realm: RealmConfig, email: string, error?: PasswordFormError): Reply {
  const field = (name: PasswordFormError['field'], label: string) => {
    const wrong = error?.field === name ? error.message : undefined
    const state = wrong === undefined ? html`` : html` aria-invalid="true" aria-describedby="${name}-error" autofocus`
    return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="password" autocomplete="new-password" required${state}>
${wrong !== undefined && html`<p class="field-error" id="${name}-error" role="alert">${wrong}</p>`}`
  }
  const body = html`<p>For <strong>${email}</strong>. Saving it signs this account out everywhere.</p>
<form method="post" novalidate>
<input hidden type="text" name="username" autocomplete="username" value="${email}" readonly>
${field('password-new', 'New password')}
${field('password-confirm', 'Confirm new password')}
<button type="submit">Save new password</button>
</form>`
  return page(realm, { title: 'Choose a new password', body })
}

export function passwordSavedPage(realm: RealmConfig, redirectUri: string | null): Reply {
  const body = html`<p>Your password has been changed and every session of this account has ended.</p>
${redirectUri === null ? html`<p>Sign in with your new password.</p>` : html`<p><a href="${redirectUri}">Sign in with your new password</a></p>`}`
  return page(realm, { title: 'Password changed', body })
}

const backLink = (realm: RealmConfig, redirectUri: string | null) =>
  redirectUri === null ? html`` : html`<p><a href="${redirectUri}">Back to ${realm.displayName}</a></p>`
