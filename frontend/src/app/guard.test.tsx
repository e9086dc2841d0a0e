import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../testing/open-app.tsx'
import {
  claimsOf,
  errorOf,
  sessionOf,
  signedInServer,
  signedOutServer,
  stubServer,
  userOf,
} from '../testing/stub-server.ts'

const at = (path: string) => waitFor(() => expect(window.location.pathname).toBe(path))
const dashboard = () => screen.findByRole('heading', { level: 1, name: 'Dashboard' })

test('a signed-out visitor of a protected page is sent to /login', async () => {
  const server = stubServer(signedOutServer)
  await openApp('/dashboard')
  await at('/login')
  expect(await screen.findByRole('button', { name: 'Log In' })).toBeTruthy()
  expect(server.count('POST /api/auth/sync')).toBe(0)
  expect(server.count('GET /api/auth/user')).toBe(0)
})

test('the spinner stays until session, sync and profile fetch have all finished, in that order', async () => {
  const server = stubServer(signedInServer())
  let finishSync = () => {}
  let finishUser = () => {}
  server.answer('POST /api/auth/sync', async () => {
    await new Promise<void>((resolve) => {
      finishSync = resolve
    })
    return { json: userOf() }
  })
  server.answer('GET /api/auth/user', async () => {
    await new Promise<void>((resolve) => {
      finishUser = resolve
    })
    return { json: userOf() }
  })
  await openApp('/dashboard')
  await waitFor(() => expect(server.count('POST /api/auth/sync')).toBe(1))
  expect(screen.getByText('Loading...')).toBeTruthy()
  expect(server.count('GET /api/auth/user')).toBe(0)

  finishSync()
  await waitFor(() => expect(server.count('GET /api/auth/user')).toBe(1))
  expect(screen.getByText('Loading...')).toBeTruthy()

  finishUser()
  expect(await dashboard()).toBeTruthy()
  expect(screen.queryByText('Loading...')).toBeNull()
})

test('the sync carries the ID token as Bearer and a JSON content type, and no body', async () => {
  const claims = claimsOf()
  const server = stubServer(signedInServer(claims))
  await openApp('/dashboard')
  await dashboard()
  const sync = server.calls.find(({ path }) => path === '/api/auth/sync')
  expect(sync?.headers.get('authorization')).toBe(`Bearer ${sessionOf(claims).id_token}`)
  expect(sync?.headers.get('content-type')).toBe('application/json')
  expect(sync?.body).toBeUndefined()
})

test('a sync that fails is retried once, then said, and the app goes on', async () => {
  const server = stubServer(signedInServer())
  server.answer('POST /api/auth/sync', () => ({ status: 500, json: errorOf('internal_error', 'No.') }))
  await openApp('/dashboard')
  await dashboard()
  expect(server.count('POST /api/auth/sync')).toBe(2)
  expect(await screen.findByText('Sync failed')).toBeTruthy()
  expect(screen.getByText('Error')).toBeTruthy()
})

test('a sync that succeeds at the second attempt says nothing', async () => {
  const server = stubServer(signedInServer())
  server.answer('POST /api/auth/sync', (_call, nth) => (nth === 1 ? { status: 502 } : { json: userOf() }))
  await openApp('/dashboard')
  await dashboard()
  expect(server.count('POST /api/auth/sync')).toBe(2)
  expect(screen.queryByText('Sync failed')).toBeNull()
})

test('an unverified password account is sent to /verify-email', async () => {
  stubServer({
    ...signedInServer(claimsOf({ email_verified: false })),
    'POST /auth/reload': () => ({ json: { emailVerified: false } }),
  })
  await openApp('/dashboard')
  await at('/verify-email')
  expect(await screen.findByText('asha@example.com')).toBeTruthy()
})

test('an unverified address of a federated account is let in', async () => {
  stubServer(signedInServer(claimsOf({ email_verified: false, identity_provider: 'google' })))
  await openApp('/dashboard')
  expect(await dashboard()).toBeTruthy()
})

test('a user without a profile is sent to /profile-setup', async () => {
  stubServer(signedInServer(claimsOf(), userOf({ lastName: '' })))
  await openApp('/dashboard')
  await at('/profile-setup')
})

test('/profile-setup sends on whoever has a profile, and the signed-out to /login', async () => {
  stubServer(signedInServer())
  await openApp('/profile-setup')
  await at('/dashboard')
  stubServer(signedOutServer)
  await openApp('/profile-setup')
  await at('/login')
})

test('a profile that cannot be loaded is an error with Retry, not a missing profile', async () => {
  const server = stubServer(signedInServer())
  server.answer('GET /api/auth/user', () => ({ status: 500, json: errorOf('internal_error', 'No.') }))
  await openApp('/dashboard')
  const retry = await screen.findByRole('button', { name: 'Retry' })
  expect(window.location.pathname).toBe('/dashboard')
  expect(server.count('GET /api/auth/user')).toBe(1)
  server.answer('GET /api/auth/user', () => ({ json: userOf() }))
  await userEvent.click(retry)
  expect(await dashboard()).toBeTruthy()
})

test('a 401 ends the session here and goes to /login', async () => {
  const server = stubServer(signedInServer())
  server.answer('GET /api/auth/user', () => ({ status: 401, json: errorOf('session_expired', 'Sign in again.') }))
  await openApp('/dashboard')
  await at('/login')
  expect(localStorage.getItem('signed-in')).toBeNull()
})

test('a server that cannot say who is signed in keeps the spinner and is asked again; nobody is signed out', async () => {
  const server = stubServer(signedInServer())
  server.answer('GET /auth/session', (_call, nth) => (nth === 1 ? { status: 503 } : { json: sessionOf() }))
  await openApp('/dashboard')
  expect(await screen.findByText('Parley cannot be reached right now. Trying again…')).toBeTruthy()
  expect(window.location.pathname).toBe('/dashboard')
  expect(await dashboard()).toBeTruthy()
})

test('/ shows the landing page to the signed-out and sends the signed-in on', async () => {
  stubServer(signedOutServer)
  await openApp('/')
  expect((await screen.findAllByText('Start Free Trial')).length).toBeGreaterThan(0)
  stubServer(signedInServer())
  await openApp('/')
  await at('/dashboard')
  stubServer(signedInServer(claimsOf(), userOf({ firstName: '' })))
  await openApp('/')
  await at('/profile-setup')
})

test('any other path is the 404 page, whose search finds screens; it leads who has signed in to the dashboard', async () => {
  localStorage.setItem('signed-in', '1')
  stubServer(signedInServer())
  await openApp('/no/such/page', { keepStorage: true })
  const back = await screen.findByRole('link', { name: 'Go to the dashboard' })
  expect(back.getAttribute('href')).toBe('/dashboard')
  stubServer(signedOutServer)
  await openApp('/no/such/page')
  expect(await screen.findByRole('heading', { name: '404 Page Not Found' })).toBeTruthy()
  expect((await screen.findByRole('link', { name: 'Go home' })).getAttribute('href')).toBe('/')
  await userEvent.type(screen.getByLabelText('Find a page'), 'dash')
  expect(screen.getByRole('link', { name: /Dashboard/ }).getAttribute('href')).toBe('/dashboard')
  expect(screen.queryByRole('link', { name: /Log in/ })).toBeNull()
})

test('a sync that finds the session over leads to the login page with a calm word, not to "Sync failed"', async () => {
  const server = stubServer({ ...signedInServer(), 'GET /v1/projects': () => ({ status: 503 }) })
  server.answer('POST /api/auth/sync', () => ({ status: 401, json: errorOf('unauthenticated', 'Sign in.') }))
  await openApp('/dashboard')
  await at('/login')
  expect(await screen.findByText('Your session has ended. Log in again.')).toBeTruthy()
  expect(screen.queryByText('Error')).toBeNull()
  expect(server.count('POST /api/auth/sync')).toBe(1)
})
