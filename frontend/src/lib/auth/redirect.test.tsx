import { waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { claimsOf, sessionOf, signedOutServer, stubServer, tokensOf } from '../../testing/stub-server.ts'

beforeEach(() => {
  vi.resetModules()
  vi.restoreAllMocks()
  localStorage.clear()
  sessionStorage.clear()
  window.history.replaceState(null, '', '/')
})

/** The sign-in code as a fresh page has it. */
async function freshPage() {
  const { userManager } = await import('./user-manager.ts')
  return {
    ...(await import('./boot.ts')),
    ...(await import('./google.ts')),
    ...(await import('./sign-in.ts')),
    email: async () => (await userManager.getUser())?.profile.email,
  }
}

/** Leaves the page as a redirect does. @returns where to. */
async function leave(go: (page: Awaited<ReturnType<typeof freshPage>>) => Promise<unknown>): Promise<URL> {
  const left = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  void go(await freshPage())
  await waitFor(() => expect(left).toHaveBeenCalledOnce())
  const to = new URL(String(left.mock.calls[0]?.[0]))
  left.mockRestore()
  vi.resetModules()
  return to
}

/** Comes back as the handler page sends the browser. */
function comeBack(from: URL, params: Record<string, string>): void {
  const state = from.searchParams.get('state') ?? ''
  window.history.replaceState(null, '', `/login?${new URLSearchParams({ ...params, state })}`)
}

const blocked = () => void vi.stubGlobal('open', () => null)
const tokens = () => ({ 'POST /auth/token': () => ({ json: tokensOf() }) })

test('a blocked popup leaves for Google, with the page’s name and no address as state', async () => {
  stubServer(signedOutServer)
  blocked()
  const to = await leave((page) => page.signInWithGoogle('signup'))
  expect(to.pathname).toBe('/auth/authorize')
  expect(to.searchParams.get('provider')).toBe('google')
  const stored = localStorage.getItem(`oidc.${to.searchParams.get('state')}`) ?? ''
  expect(JSON.parse(stored)).toMatchObject({ data: 'google-signup', request_type: 'si:r' })
})

test('a redirect that cannot begin is an error', async () => {
  stubServer({ ...signedOutServer, 'GET /v1/projects': () => ({ status: 503 }) })
  blocked()
  const page = await freshPage()
  await expect(page.signInWithGoogle('login')).rejects.toMatchObject({
    code: 'network-request-failed',
    message: 'Failed to sign in with Google',
  })
})

test('the result is processed once, before anything shows, and wiped from the address', async () => {
  const server = stubServer({ ...signedOutServer, ...tokens() })
  blocked()
  const to = await leave((page) => page.signInWithGoogle('login'))
  comeBack(to, { code: 'c1' })
  const page = await freshPage()
  const first = page.boot()
  expect(window.location.search).toBe('')
  await Promise.all([first, page.boot()])
  expect(server.count('POST /auth/token')).toBe(1)
  expect(await page.email()).toBe('asha@example.com')
  expect(page.consumeRedirectOutcome()).toEqual({ journey: 'google-login' })
  expect(page.consumeRedirectOutcome()).toBeUndefined()
  expect(JSON.stringify(localStorage)).not.toContain('oidc')
})

test.each([
  ['in the same tab', () => {}],
  ['after 10 minutes', () => sessionStorage.clear()],
])('an event that comes again %s is an invalid-auth-event and asks nobody for tokens', async (_, wait) => {
  const server = stubServer({ ...signedOutServer, ...tokens() })
  blocked()
  const to = await leave((page) => page.signInWithGoogle('login'))
  comeBack(to, { code: 'c1' })
  await (await freshPage()).boot()
  vi.resetModules()
  wait()
  comeBack(to, { code: 'c1' })
  const page = await freshPage()
  await page.boot()
  expect(page.consumeRedirectOutcome()).toMatchObject({ error: { code: 'invalid-auth-event' } })
  expect(server.count('POST /auth/token')).toBe(1)
})

test('the event cache forgets after 10 minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { isNewEvent } = await import('./redirect.ts')
  expect(isNewEvent('a')).toBe(true)
  vi.setSystemTime(Date.now() + 10 * 60_000 - 1)
  expect(isNewEvent('a')).toBe(false)
  vi.setSystemTime(Date.now() + 1)
  expect(isNewEvent('a')).toBe(true)
  vi.useRealTimers()
})

test('an event from nowhere, while somebody is signed in, leads on without a word', async () => {
  stubServer({ ...signedOutServer, 'GET /auth/session': () => ({ json: sessionOf() }) })
  window.history.replaceState(null, '', '/login?code=c1&state=unknown')
  const page = await freshPage()
  await page.boot()
  expect(page.consumeRedirectOutcome()).toBe('stale')
})

test('a session that began although its code could not be redeemed counts', async () => {
  const server = stubServer({ ...signedOutServer, 'POST /auth/token': () => ({ status: 503 }) })
  blocked()
  const to = await leave((page) => page.signInWithGoogle('signup'))
  server.answer('GET /auth/session', () => ({ json: sessionOf() }))
  comeBack(to, { code: 'c1' })
  const page = await freshPage()
  await page.boot()
  expect(page.consumeRedirectOutcome()).toEqual({ journey: 'google-signup' })
  expect(await page.email()).toBe('asha@example.com')
})

test('a refusal stays one even if somebody is signed in', async () => {
  const server = stubServer(signedOutServer)
  blocked()
  const to = await leave((page) => page.signInWithGoogle('login'))
  server.answer('GET /auth/session', () => ({ json: sessionOf() }))
  comeBack(to, { error: 'access_denied' })
  const page = await freshPage()
  await page.boot()
  expect(page.consumeRedirectOutcome()).toMatchObject({ error: { code: 'popup-closed-by-user' } })
})

test.each([
  ['google-login', '/login', 'ErrorFailed to log in with Google'],
  ['google-signup', '/signup', 'ErrorFailed to sign up with Google'],
] as const)('a failed redirect of %s goes back to %s and says its text', async (journey, path, text) => {
  stubServer(signedOutServer)
  blocked()
  const to = await leave((page) => page.signInWithGoogle(journey === 'google-login' ? 'login' : 'signup'))
  await openApp(`/login?error=access_denied&state=${to.searchParams.get('state')}`, { keepStorage: true })
  await waitFor(() => expect(document.querySelector('[data-kind]')?.textContent).toBe(text))
  await waitFor(() => expect(window.location.pathname + window.location.search).toBe(path))
})

test('a password that is not enough goes on at the provider’s page, with the address filled in', async () => {
  stubServer({
    ...signedOutServer,
    'POST /auth/token': () => ({ status: 400, json: { error: 'interaction_required', error_description: 'Go on.' } }),
  })
  const to = await leave((page) => page.signInWithPassword({ email: 'asha@example.com', password: 'secret1' }))
  expect(to.searchParams.get('login_hint')).toBe('asha@example.com')
  expect(to.searchParams.get('provider')).toBeNull()
  expect(JSON.stringify(localStorage)).toContain('hosted-login')
})

test('a new account whose password is entered at the provider signs in there', async () => {
  stubServer({
    ...signedOutServer,
    'POST /auth/sign-up': () => ({ status: 201, json: { email: 'new@example.com', signedIn: false } }),
  })
  const to = await leave((page) => page.signUp({ email: 'new@example.com', password: 'secret1' }))
  expect(to.searchParams.get('login_hint')).toBe('new@example.com')
  expect(JSON.stringify(localStorage)).toContain('hosted-signup')
})

test('a sign-up that ended at the provider’s page waits for the address to be verified', async () => {
  const server = stubServer({
    ...signedOutServer,
    'POST /auth/sign-up': () => ({ status: 201, json: { email: 'new@example.com', signedIn: false } }),
    'POST /auth/token': () => ({ json: tokensOf(claimsOf({ email_verified: false })) }),
    'POST /auth/reload': () => ({ json: { emailVerified: false } }),
    'POST /api/auth/sync': () => ({ status: 500 }),
  })
  const to = await leave((page) => page.signUp({ email: 'new@example.com', password: 'secret1' }))
  await openApp(`/login?code=c1&state=${to.searchParams.get('state')}`, { keepStorage: true })
  await waitFor(() => expect(window.location.pathname).toBe('/verify-email'))
  expect(server.count('POST /auth/token')).toBe(1)
})
