import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { stubPopups } from '../../testing/stub-popups.ts'
import {
  claimsOf,
  sessionOf,
  signedInServer,
  signedOutServer,
  stubServer,
  tokensOf,
  userOf,
} from '../../testing/stub-server.ts'

const google = claimsOf({ sub: 'gwen', name: 'Gwen Stone', email_verified: false, identity_provider: 'google' })
const newcomer = userOf({ firstName: '', lastName: '' })

const at = (path: string) => waitFor(() => expect(window.location.pathname).toBe(path))
const button = () => screen.findByRole('button', { name: 'Continue with Google' })
const toast = () => document.querySelector('[data-kind]')?.textContent

/** Opens a page and its popup, as far as the provider. */
async function openPopup(path: string, user = userOf()) {
  const server = stubServer({
    ...signedInServer(google, user),
    ...signedOutServer,
    'POST /auth/token': () => ({ json: tokensOf(google) }),
  })
  const popups = stubPopups()
  await openApp(path)
  await userEvent.click(await button())
  await waitFor(() => expect(popups[0]?.url().pathname).toBe('/auth/authorize'))
  return { server, popups, popup: popups[0] }
}

test('Google comes first on both pages, then a divider and the form', async () => {
  for (const path of ['/login', '/signup']) {
    stubServer(signedOutServer)
    await openApp(path)
    const follows = (await button()).compareDocumentPosition(await screen.findByLabelText('Email'))
    expect(follows & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
    expect(screen.getByText('or')).toBeTruthy()
  }
})

test('logging in with Google says so and goes to the dashboard; the sync runs once', async () => {
  const { server, popup } = await openPopup('/login')
  popup?.report({ code: 'c1' })
  await waitFor(() => expect(toast()).toBe('Logged in successfully!'))
  await at('/dashboard')
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' })
  expect(server.count('POST /api/auth/sync')).toBe(1)
})

test('signing up with Google goes to the profile with the names filled in, never to verify-email', async () => {
  const { popup } = await openPopup('/signup', newcomer)
  popup?.report({ code: 'c1' })
  await at('/profile-setup')
  expect(await screen.findByLabelText('First Name')).toHaveProperty('value', 'Gwen')
  expect(screen.getByLabelText('Last Name')).toHaveProperty('value', 'Stone')
})

test('signing up with a known Google account ends on the dashboard', async () => {
  const { popup } = await openPopup('/signup')
  popup?.report({ code: 'c1' })
  await at('/dashboard')
})

test.each([
  ['/login', 'ErrorFailed to log in with Google'],
  ['/signup', 'ErrorFailed to sign up with Google'],
])('a failure on %s is its toast; the page stays and can try again', async (path, text) => {
  const { popup, popups } = await openPopup(path)
  popup?.report({ error: 'access_denied', error_description: 'access_denied' })
  await waitFor(() => expect(toast()).toBe(text))
  expect(window.location.pathname).toBe(path)
  expect((await button()).getAttribute('aria-busy')).toBe('false')
  await userEvent.click(await button())
  expect(popups).toHaveLength(2)
})

test('the provider’s own message is shown where there is one', async () => {
  const { server, popup } = await openPopup('/login')
  server.answer('POST /auth/token', () => ({
    status: 429,
    json: { error: 'slow_down', error_description: 'Too many attempts.' },
  }))
  popup?.report({ code: 'c1' })
  await waitFor(() => expect(toast()).toBe('ErrorToo many attempts.'))
})

test('a second press opens a second popup; the first goes without a word', async () => {
  const { popups } = await openPopup('/login')
  await userEvent.click(await button())
  await waitFor(() => expect(popups[1]?.url().pathname).toBe('/auth/authorize'))
  expect(popups[0]?.closed).toBe(true)
  expect(toast()).toBeUndefined()
  expect((await button()).getAttribute('aria-busy')).toBe('true')
  popups[1]?.report({ code: 'c2' })
  await waitFor(() => expect(toast()).toBe('Logged in successfully!'))
})

test('a blocked popup says nothing; the page leaves for the provider', async () => {
  stubServer(signedOutServer)
  vi.stubGlobal('open', () => null)
  const left = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  await openApp('/login')
  await userEvent.click(await button())
  await waitFor(() => expect(left).toHaveBeenCalledOnce())
  expect(toast()).toBeUndefined()
  left.mockRestore()
})

test('a blocked popup whose redirect fails too is the toast', async () => {
  stubServer({ ...signedOutServer, 'GET /v1/projects': () => ({ status: 503 }) })
  vi.stubGlobal('open', () => null)
  await openApp('/signup')
  await userEvent.click(await button())
  await waitFor(() => expect(toast()).toBe('ErrorFailed to sign up with Google'))
})

test('leaving the page closes its popup', async () => {
  const { popup } = await openPopup('/login')
  await userEvent.click(screen.getByRole('link', { name: 'Sign up' }))
  await at('/signup')
  await waitFor(() => expect(popup?.closed).toBe(true))
  expect(toast()).toBeUndefined()
})

test('a sign-in that finishes after it was given up still goes on', async () => {
  const { server, popup } = await openPopup('/login')
  popup?.report({ error: 'access_denied' })
  await waitFor(() => expect(toast()).toBe('ErrorFailed to log in with Google'))
  server.answer('GET /auth/session', () => ({ json: sessionOf(google) }))
  const handler = new BroadcastChannel('auth')
  handler.postMessage({ type: 'session-ready' })
  await at('/dashboard')
  handler.close()
})
