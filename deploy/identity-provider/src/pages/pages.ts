import type { Reply } from '../http.ts'
import { peoplesPassword, type RealmConfig } from '../realm-config.ts'
import { type Html, html, page } from './layout.ts'

const text = (words: string): Html => html`<p>${words}</p>`

const failurePage = (realm: RealmConfig, title: string, what: string): Reply => ({
  ...page(realm, title, html`${text(what)}${text(`Go back to ${realm.displayName} and start again.`)}`),
  status: 400,
})

/** A sign-in begun too long ago or in another browser. */
export const staleSignInPage = (realm: RealmConfig): Reply =>
  failurePage(realm, 'This sign-in has ended', 'It was started too long ago or in another browser.')

/** Page for a browser in which another person is signed in; it does not say who. */
export const otherPersonPage = (realm: RealmConfig): Reply =>
  failurePage(realm, 'Someone else is signed in here', 'Sign out first: this browser belongs to another account.')

/** A request that no app of ours makes; the log has the detail, the page has none. */
export const badRequestPage = (realm: RealmConfig): Reply =>
  failurePage(realm, 'This address is not right', 'Something in it is missing or not allowed.')

/** Page for a link that has expired, was used, or never existed: which of them concerns only the owner. */
export const deadLinkPage = (realm: RealmConfig): Reply => ({
  ...page(
    realm,
    'This link no longer works',
    html`${text('It has expired or has been used before.')}
${text(`Go back to ${realm.displayName} and ask for a new mail, then open the link in the newest one.`)}`,
  ),
  status: 400,
})

export const signedOutPage = (realm: RealmConfig): Reply =>
  page(realm, 'You are signed out', text('You can close this page.'))

/** The only button on the page: a mail scanner that opens the link changes nothing. */
export const confirmEmailPage = (realm: RealmConfig, email: string): Reply =>
  page(
    realm,
    'Confirm your email address',
    html`<p>Confirm that <strong>${email}</strong> is yours to finish setting up your ${realm.displayName} account.</p>
<form method="post"><button type="submit">Confirm email address</button></form>`,
  )

/** After what a mail's link was for. */
export function donePage(
  realm: RealmConfig,
  done: { title: string; what: string; redirectUri: string | null; next?: string },
): Reply {
  const { title, what, redirectUri, next = `Back to ${realm.displayName}` } = done
  return page(
    realm,
    title,
    html`${text(what)}${redirectUri !== null && html`<p><a href="${redirectUri}">${next}</a></p>`}`,
  )
}

export interface PasswordFormError {
  readonly field: 'password-new' | 'password-confirm'
  readonly message: string
}

export function passwordFormPage(realm: RealmConfig, email: string, error?: PasswordFormError): Reply {
  const field = (name: PasswordFormError['field'], label: string) => {
    const wrong = error?.field === name ? error.message : undefined
    return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="password" autocomplete="new-password" required${invalid(wrong, `${name}-error`)}${wrong !== undefined && html` autofocus`}>
${wrong !== undefined && html`<p class="field-error" id="${name}-error" role="alert">${wrong}</p>`}`
  }
  return page(
    realm,
    'Choose a new password',
    html`<p>For <strong>${email}</strong>. Saving it signs this account out everywhere.</p>
<form method="post" novalidate>
${accountField(email)}
${field('password-new', 'New password')}
${field('password-confirm', 'Confirm new password')}
<button type="submit">Save new password</button>
</form>`,
  )
}

const alert = (error: string | undefined) =>
  error !== undefined && html`<p class="error" id="error" role="alert">${error}</p>`

const invalid = (error: string | undefined, id: string) =>
  error !== undefined && html` aria-invalid="true" aria-describedby="${id}"`

/** For password managers. */
const accountField = (email: string) =>
  html`<input hidden type="text" name="username" autocomplete="username" value="${email}" readonly>`

/** For an account whose address must be proven before it may sign in. */
export const verifyFirstPage = (realm: RealmConfig, email: string, isSent: boolean): Reply =>
  page(
    realm,
    'Verify your email address',
    html`<p role="status">${
      isSent
        ? html`A mail is on its way to <strong>${email}</strong>: open its link, then <a href="">continue here</a>.`
        : 'The mail could not be sent. Try again in a moment.'
    }</p>
<form method="post"><button type="submit">Send it again</button></form>`,
  )

interface LoginState {
  readonly email: string
  /** Address to which the form is sent. */
  readonly action: string
  readonly error?: string
}

/** The hosted sign-in page: e-mail and password, and Google where the realm offers it. */
export function loginPage(realm: RealmConfig, { email, action, error }: LoginState): Reply {
  const form = html`<form method="post" action="${action}">
<label for="username">Email</label>
<input id="username" name="username" type="email" autocomplete="username" maxlength="254" required value="${email}"${invalid(error, 'error')}>
${passwordField('Password', error)}
<button type="submit">Sign in</button>
</form>`
  const google = html`<p class="divider">or</p>
<a class="button secondary" id="social-google" href="${action}?kc_idp_hint=google">Continue with Google</a>`
  const { people } = realm
  const body = people
    ? chooser(people, { action, form, isOpen: error !== undefined })
    : html`${form}${realm.google && google}`
  const title = people ? `Sign in with ${realm.displayName}` : 'Sign in'
  return page(realm, title, html`${alert(error)}${body}`)
}

const passwordField = (label: string, error: string | undefined) => html`<label for="password">${label}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="128" required${invalid(error, 'error')}>`

/** One button for each made-up account, as the real Google offers the accounts that it knows. */
const chooser = (
  people: NonNullable<RealmConfig['people']>,
  { action, form, isOpen }: { action: string; form: Html; isOpen: boolean },
) => html`<p>These people are made up, and nothing leaves this computer. Choose an account:</p>
<form method="post" action="${action}">
${people.map(({ email, firstName, lastName, emailVerified }) => {
  const name = `${firstName} ${lastName ?? ''}`
  return html`<button class="secondary account" type="submit" name="account" value="${email}"><strong>${name}</strong> ${email}${!emailVerified && ' (not verified)'}</button>`
})}
</form>
<details${isOpen && html` open`}><summary>Type an address and password</summary>
<p>The password of all of them is <strong>${peoplesPassword}</strong>.</p>
${form}
</details>
<form method="post" action="${action}"><button class="secondary" type="submit" name="cancel" value="yes">Cancel</button></form>`

const linkTitle = 'Link your Google account'

interface LinkState {
  readonly email: string
  readonly takesPassword: boolean
  readonly action: string
  readonly cancel: string
  readonly error?: string
  readonly mailed?: boolean
}

/** Asks the owner of an existing account for a proof before Google may open it. */
export function linkPage(
  realm: RealmConfig,
  { email, takesPassword, action, cancel, error, mailed }: LinkState,
): Reply {
  const form = html`<form method="post" action="${action}">
${accountField(email)}
${passwordField(`${realm.displayName} password`, error)}
<button type="submit">Link and sign in</button>
</form>`
  const body = html`<p>There is a ${realm.displayName} account for <strong>${email}</strong> already. Confirm that it is yours to sign in with Google from now on.</p>
${alert(error)}
${mailed && html`<p role="status">A mail is on its way to <strong>${email}</strong>. Open its link, then <a href="${action}">continue here</a>.</p>`}
${takesPassword && form}
<form method="post" action="${action}"><button class="secondary" type="submit" name="mail" value="yes">Send a link by mail${takesPassword && ' instead'}</button></form>
<form method="post" action="${cancel}"><button class="secondary" type="submit">Cancel</button></form>`
  return page(realm, linkTitle, body)
}

/** Page to which the mailed link leads; its button is the only thing that acts. */
export const confirmLinkPage = (realm: RealmConfig, email: string): Reply =>
  page(
    realm,
    linkTitle,
    html`<p>Someone has just signed in with the Google account <strong>${email}</strong> and wants it to open the ${realm.displayName} account of that address.</p>
<p>If that was not you, close this page: nothing happens without the button.</p>
<form method="post"><button type="submit">Link Google</button></form>`,
  )

export const linkConfirmedPage = (realm: RealmConfig, next: string): Reply =>
  page(
    realm,
    'Confirmed',
    html`<p>Google may open this account now. Go back to the window where you signed in and continue there.</p>
<p><a href="${next}">Continue in this window</a></p>`,
  )

const refusals = {
  disabled: 'The account that it opens is disabled.',
  unverified: 'There is an account for this address already, and Google has not verified that the address is yours.',
  'linked-elsewhere': 'The account for this address is already opened by another Google account.',
} as const
export type GoogleRefusal = keyof typeof refusals

/** For an identity that opens no account here. */
export function refusedIdentityPage(
  realm: RealmConfig,
  { email, reason, cancel }: { email: string; reason: GoogleRefusal; cancel: string },
): Reply {
  const body = html`<p><strong>${email}</strong> cannot be used here. ${refusals[reason]}</p>
<form method="post" action="${cancel}"><button type="submit">Back to ${realm.displayName}</button></form>`
  return { ...page(realm, 'Google sign-in not possible', body), status: 403 }
}
