import { type Html, html, page } from './layout.ts'

const message = (title: string, ...lines: (string | Html)[]): string =>
  page(title, html`${lines.map((line) => html`<p>${line}</p>`)}`)

const failure = (title: string, what: string, next = 'Go back to Parley and start again.') => ({
  status: 400,
  page: message(title, what, next),
})

export const staleSignInPage = failure('This sign-in has ended', 'It was started too long ago or in another browser.')
/** Page for a browser in which another person is signed in; it does not say who. */
export const otherPersonPage = failure(
  'Someone else is signed in here',
  'Sign out first: this browser belongs to another account.',
)
/** Page for a request that no app of ours makes; the log has the detail, the page has none. */
export const badRequestPage = failure('This address is not right', 'Something in it is missing or not allowed.')
/** Page for a link that has expired, was used, or never existed: which of them concerns only the owner. */
export const deadLinkPage = failure(
  'This link no longer works',
  'It has expired or has been used before.',
  'Go back to Parley and ask for a new mail, then open the link in the newest one.',
)
/** Page for a person of Google's who opens no account here. */
export const refusedAtGooglePage = (email: string) => ({
  status: 403,
  page: message(
    'Google sign-in not possible',
    html`<strong>${email}</strong> cannot be used here: the account for this address is disabled, or Google has not verified that the address is yours.`,
  ),
})

/** A question with one button: a mail scanner that opens the page changes nothing. */
export const confirmPage = (title: string, question: Html, button: string): string =>
  page(title, html`<p>${question}</p><form method="post"><button type="submit">${button}</button></form>`)

/** Page that follows what a mail's link was for. */
export const donePage = (title: string, what: string, redirectUri: string | null, next = 'Back to Parley'): string =>
  message(title, what, ...(redirectUri === null ? [] : [html`<a href="${redirectUri}">${next}</a>`]))

/** Page that sends the owner of an existing account to a mail. */
export const mailedPage = (email: string): string =>
  message(
    'Link your Google account',
    html`There is a Parley account for <strong>${email}</strong> already, and a mail is on its way there. Open its link, then <a href="">continue here</a>.`,
  )

const input = (name: string, label: string, autocomplete: string, { value = '', error = '' } = {}): Html =>
  html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${name === 'username' ? 'text' : 'password'}" autocomplete="${autocomplete}" value="${value}" required${error && html` aria-invalid="true" aria-describedby="${name}-error" autofocus`}>
${error && html`<p class="field-error" id="${name}-error" role="alert">${error}</p>`}`

/** @param faults what is wrong, by field */
export const passwordFormPage = (email: string, faults: { first?: string; again?: string } = {}): string =>
  page(
    'Choose a new password',
    html`<p>For <strong>${email}</strong>. Saving it signs this account out everywhere.</p>
<form method="post" novalidate>
${input('password-new', 'New password', 'new-password', { error: faults.first ?? '' })}
${input('password-confirm', 'Confirm new password', 'new-password', { error: faults.again ?? '' })}
<button type="submit">Save new password</button>
</form>`,
  )

/** The hosted sign-in page. @param action address to which its form goes */
export const loginPage = (action: string, email: string, error?: string): string =>
  page(
    'Sign in',
    html`${error && html`<p class="error" role="alert">${error}</p>`}
<form method="post" action="${action}">
${input('username', 'Email', 'username', { value: email })}
${input('password', 'Password', 'current-password')}
<button type="submit">Sign in</button>
</form>
<p><a id="social-google" href="${action}?kc_idp_hint=google">Continue with Google</a></p>`,
  )

/** Page with one button for each made-up account, as the real Google offers those that it knows. */
export const chooserPage = (people: readonly { name: string; email: string }[], action: string): string =>
  page(
    'Sign in with Google (offline)',
    html`<p>These people are made up, and nothing leaves this computer. Choose an account:</p>
<form method="post" action="${action}">
${people.map(({ name, email }) => html`<button class="secondary" type="submit" name="username" value="${email}">${name} ${email}</button>`)}
</form>
<form method="post" action="${action}"><button class="secondary" type="submit" name="cancel" value="yes">Cancel</button></form>`,
    'Google (offline)',
  )
