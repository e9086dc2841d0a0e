import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import {
  claimsOf,
  errorOf,
  sessionOf,
  signedInServer,
  signedOutServer,
  stubServer,
  tokensOf,
  userOf,
} from '../../testing/stub-server.ts'

const at = (path: string) => waitFor(() => expect(window.location.pathname).toBe(path))
const field = (label: string) => screen.findByLabelText(label, { selector: 'input' })
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const toast = () =>
  waitFor(() => {
    const shown = document.querySelector('[data-kind]')?.textContent
    expect(shown).toBeTruthy()
    return shown
  })
const destructive = (text: string) => waitFor(async () => expect(await toast()).toBe(`Error${text}`))

async function fill(values: Record<string, string>) {
  for (const [label, value] of Object.entries(values)) await userEvent.type(await field(label), value)
}

test('logging in posts the password grant with X-CSRF, says so and goes to the dashboard', async () => {
  const server = stubServer({
    ...signedInServer(),
    ...signedOutServer,
    'POST /auth/token': () => ({ json: tokensOf() }),
  })
  await openApp('/login')
  await fill({ Email: ' Asha@Example.com ', Password: 'secret1' })
  await userEvent.keyboard('{Enter}')
  expect(await toast()).toBe('Logged in successfully!')
  await at('/dashboard')
  const token = server.calls.find(({ path }) => path === '/auth/token')
  expect(token?.headers.get('x-csrf')).toBe('1')
  expect(Object.fromEntries(new URLSearchParams(token?.body))).toMatchObject({
    grant_type: 'password',
    username: 'asha@example.com',
    password: 'secret1',
    client_id: 'spa',
  })
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' })
  expect(server.count('POST /api/auth/sync')).toBe(1)
})

test('a refused login shows the provider’s message in a toast and at the password, which stays as typed', async () => {
  stubServer({
    ...signedOutServer,
    'POST /auth/token': () => ({ status: 429, json: { error: 'slow_down', error_description: 'Too many attempts.' } }),
  })
  await openApp('/login')
  await fill({ Email: 'asha@example.com', Password: 'wrong-one' })
  await press('Log In')
  await destructive('Too many attempts.')
  const password = await field('Password')
  expect(password).toHaveProperty('value', 'wrong-one')
  expect(password.getAttribute('aria-invalid')).toBe('true')
  expect(document.getElementById(password.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Too many attempts.',
  )
})

test('a refused login without a message reads Invalid email or password', async () => {
  stubServer({
    ...signedOutServer,
    'POST /auth/token': () => ({ status: 400, json: { error: 'invalid_grant' } }),
  })
  await openApp('/login')
  await fill({ Email: 'asha@example.com', Password: 'wrong-one' })
  await press('Log In')
  await destructive('Invalid email or password')
  expect(document.body.textContent).not.toContain('wrong-one')
})

test('a login that does not reach the server blames the connection, not the password', async () => {
  stubServer(signedOutServer)
  await openApp('/login')
  await fill({ Email: 'asha@example.com', Password: 'secret1' })
  await press('Log In')
  await destructive('Parley cannot be reached. Check your connection and try again.')
})

test('an empty login form asks nobody and puts the focus on the first problem', async () => {
  const server = stubServer(signedOutServer)
  await openApp('/login')
  await press('Log In')
  expect(await screen.findByText('Enter your email address.')).toBeTruthy()
  expect(screen.getByText('Enter your password.')).toBeTruthy()
  expect(document.activeElement).toBe(await field('Email'))
  expect(server.count('POST /auth/token')).toBe(0)
})

test('the password can be shown and hidden again', async () => {
  stubServer(signedOutServer)
  await openApp('/login')
  expect((await field('Password')).getAttribute('type')).toBe('password')
  await press('Show typed text')
  expect((await field('Password')).getAttribute('type')).toBe('text')
  await press('Hide typed text')
  expect((await field('Password')).getAttribute('type')).toBe('password')
})

test('signing up takes over the new session and waits for the address to be verified', async () => {
  const claims = claimsOf({ sub: 'new', email: 'new@example.com', email_verified: false })
  const server = stubServer({
    ...signedInServer(claims, userOf({ firstName: '', lastName: '' })),
    ...signedOutServer,
    'POST /auth/reload': () => ({ json: { emailVerified: false } }),
  })
  server.answer('POST /auth/sign-up', () => {
    server.answer('GET /auth/session', () => ({ json: sessionOf(claims) }))
    return { status: 201, json: { email: 'new@example.com', signedIn: true } }
  })
  await openApp('/signup')
  await fill({ Email: 'new@example.com', Password: 'secret1', 'Confirm Password': 'secret1' })
  await press('Sign Up')
  expect(await toast()).toBe('Account created! Please verify your email.')
  await at('/verify-email')
  expect(await screen.findByText('new@example.com')).toBeTruthy()
  const call = server.calls.find(({ path }) => path === '/auth/sign-up')
  expect(call?.headers.get('x-csrf')).toBe('1')
  expect(JSON.parse(call?.body ?? '')).toEqual({ email: 'new@example.com', password: 'secret1' })
})

test.each([
  ['abc', 'abcd', 'Passwords do not match'],
  ['abc', 'abc', 'Password must be at least 6 characters'],
])('signing up with %s and %s says "%s" at the field and as a toast', async (password, confirm, message) => {
  const server = stubServer(signedOutServer)
  await openApp('/signup')
  await fill({ Email: 'new@example.com', Password: password, 'Confirm Password': confirm })
  await press('Sign Up')
  await destructive(message)
  expect(screen.getAllByText(message).length).toBeGreaterThan(1)
  expect(server.count('POST /auth/sign-up')).toBe(0)
})

test('a sign-up that fails keeps what was typed and says what to do', async () => {
  stubServer({
    ...signedOutServer,
    'POST /auth/sign-up': () => ({ status: 409, json: errorOf('sign_up_failed', 'Failed to create account') }),
  })
  await openApp('/signup')
  await fill({ Email: 'new@example.com', Password: 'secret1', 'Confirm Password': 'secret1' })
  await press('Sign Up')
  await destructive('Failed to create account')
  expect(screen.getByText(/If you already have an account/)).toBeTruthy()
  expect(await field('Email')).toHaveProperty('value', 'new@example.com')
})

test('a reset link is sent, and can be asked for again', async () => {
  const server = stubServer({ ...signedOutServer, 'POST /auth/password-reset': () => ({ status: 202 }) })
  await openApp('/forgot-password')
  await fill({ Email: 'asha@example.com' })
  await press('Send Reset Link')
  expect(await screen.findByRole('heading', { name: 'Check your email' })).toBe(document.activeElement)
  expect(JSON.parse(server.calls.at(-1)?.body ?? '')).toEqual({ email: 'asha@example.com' })
  await press('Try again')
  expect(await field('Email')).toHaveProperty('value', 'asha@example.com')
  await press('Send Reset Link')
  await press('Back to login')
  await at('/login')
})

test('a reset link that cannot be sent is a toast and stays on the page', async () => {
  stubServer({
    ...signedOutServer,
    'POST /auth/password-reset': () => ({ status: 429, json: errorOf('rate_limited', 'Wait a little.') }),
  })
  await openApp('/forgot-password')
  await fill({ Email: 'asha@example.com' })
  await press('Send Reset Link')
  await destructive('Failed to send reset email')
  expect(screen.getByText('Wait a little.')).toBeTruthy()
})

const unverified = claimsOf({ email_verified: false })
const waitingServer = () =>
  stubServer({
    ...signedInServer(unverified, userOf({ firstName: '', lastName: '' })),
    'POST /auth/reload': () => ({ json: { emailVerified: false } }),
  })

test('the verify page goes on by itself once the address is verified', async () => {
  const server = waitingServer()
  await openApp('/verify-email')
  await screen.findByText('asha@example.com')
  server.answer('GET /auth/session', () => ({ json: sessionOf(claimsOf()) }))
  server.answer('POST /auth/reload', () => ({ json: { emailVerified: true } }))
  document.dispatchEvent(new Event('visibilitychange'))
  expect(await toast()).toBe('Email Verified!')
  await at('/profile-setup')
})

test('the verify page asks again after three seconds', async () => {
  const server = waitingServer()
  await openApp('/verify-email')
  await waitFor(() => expect(server.count('POST /auth/reload')).toBeGreaterThanOrEqual(2))
})

test('the verify page of a session that has ended goes to /signup', async () => {
  const server = waitingServer()
  server.answer('POST /auth/reload', () => ({ status: 401, json: errorOf('session_expired', 'Sign in again.') }))
  await openApp('/verify-email')
  await at('/signup')
})

test('the verification mail can be sent once more, after which the button has done its work', async () => {
  const server = waitingServer()
  server.answer('POST /auth/verification-email', (_call, nth) =>
    nth === 1 ? { status: 429, json: errorOf('rate_limited', 'Wait 30 seconds.') } : { status: 204 },
  )
  await openApp('/verify-email')
  await press('Resend verification email')
  await destructive('Failed to resend verification email')
  expect(screen.getByText('Wait 30 seconds.')).toBeTruthy()
  await press('Resend verification email')
  expect(await screen.findByRole('button', { name: /Email Sent!/ })).toHaveProperty('disabled', true)
})

test('the verify page sends the signed-out to /signup and the verified to /profile-setup, without a toast', async () => {
  stubServer(signedOutServer)
  await openApp('/verify-email')
  await at('/signup')
  stubServer(signedInServer(claimsOf(), userOf({ firstName: '' })))
  await openApp('/verify-email')
  await at('/profile-setup')
  expect(screen.queryByText('Email Verified!')).toBeNull()
})

test('a new password that is too short is said when it is left, and gone once it is long enough; an empty one says nothing', async () => {
  stubServer(signedOutServer)
  await openApp('/signup')
  const password = await field('Password')
  await userEvent.click(password)
  await userEvent.tab()
  await userEvent.type(password, 'short')
  expect(screen.queryByRole('alert')).toBeNull()
  await userEvent.click(await field('Confirm Password'))
  await waitFor(() => expect(password.getAttribute('aria-invalid')).toBe('true'))
  await userEvent.type(password, '1')
  await waitFor(() => expect(password.getAttribute('aria-invalid')).toBeNull())
})
