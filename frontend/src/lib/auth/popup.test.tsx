import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type StubPopup, stubPopups } from '../../testing/stub-popups.ts'
import { claimsOf, sessionOf, signedOutServer, stubServer, tokensOf } from '../../testing/stub-server.ts'

const tokens = () => ({ 'POST /auth/token': () => ({ json: tokensOf() }) })

beforeEach(() => {
  vi.resetModules()
  localStorage.clear()
  sessionStorage.clear()
})
afterEach(() => void vi.useRealTimers())

/** The sign-in code as a fresh page has it. */
async function freshPage() {
  const { userManager } = await import('./user-manager.ts')
  return {
    ...(await import('./popup.ts')),
    ...(await import('./session.ts')),
    email: async () => (await userManager.getUser())?.profile.email,
  }
}

const atProvider = (popup: StubPopup | undefined) =>
  vi.waitFor(() => expect(popup?.url().pathname).toBe('/auth/authorize'), 80_000)
const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'signed in',
    (error: unknown) => (error as { code?: unknown }).code,
  )

/** A popup at the provider, under a clock that only the test moves. */
async function openedPopup() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  const popups = stubPopups()
  const page = await freshPage()
  let settled: unknown
  const attempt = codeOf(page.signInByPopup()).then((outcome) => {
    settled = outcome
    return outcome
  })
  const popup = popups[0]
  if (!popup) throw new Error('No popup was opened.')
  await atProvider(popup)
  return { page, popup, attempt, outcome: () => settled }
}

test('the popup opens in the click, 500×600, and goes to Google by way of our own server', async () => {
  stubServer({ ...signedOutServer, ...tokens() })
  const popups = stubPopups()
  const page = await freshPage()
  const attempt = page.signInByPopup()
  const [popup] = popups
  expect(popup?.features).toMatch(/width=500,height=600/)
  await atProvider(popup)
  expect(Object.fromEntries(popup?.url().searchParams ?? [])).toMatchObject({
    provider: 'google',
    client_id: 'spa',
    redirect_uri: `${window.location.origin}/auth/handler`,
    code_challenge_method: 'S256',
  })
  popup?.report({ code: 'c1' })
  await attempt
  expect(popup?.closed).toBe(true)
  expect(await page.email()).toBe('asha@example.com')
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toMatch(/oidc|eyJ/)
})

test('the other tabs hear of it', async () => {
  stubServer({ ...signedOutServer, ...tokens() })
  const [popups, page] = [stubPopups(), await freshPage()]
  const heard: unknown[] = []
  const other = new BroadcastChannel('auth')
  other.addEventListener('message', (event) => heard.push(event.data))
  const attempt = page.signInByPopup()
  await atProvider(popups[0])
  popups[0]?.report({ code: 'c1' })
  await attempt
  await waitFor(() => expect(heard).toEqual([{ type: 'signed-in' }]))
  other.close()
})

test('a closed popup is given up 8 s after it was seen closed, not earlier, and after a last look', async () => {
  const server = stubServer(signedOutServer)
  const { popup, attempt, outcome } = await openedPopup()
  popup.closed = true
  await vi.advanceTimersByTimeAsync(7999)
  expect(outcome()).toBeUndefined()
  expect(server.count('GET /auth/session')).toBe(0)
  await vi.advanceTimersByTimeAsync(1000)
  expect(await attempt).toBe('popup-closed-by-user')
  expect(server.count('GET /auth/session')).toBe(1)
})

test('a result that comes within the grace wins', async () => {
  stubServer({ ...signedOutServer, ...tokens() })
  const { page, popup, attempt } = await openedPopup()
  popup.closed = true
  await vi.advanceTimersByTimeAsync(7900)
  popup.report({ code: 'c1' })
  expect(await attempt).toBe('signed in')
  expect(await page.email()).toBe('asha@example.com')
})

test('the last look finds a session whose message got lost', async () => {
  const server = stubServer(signedOutServer)
  const { page, popup, attempt } = await openedPopup()
  server.answer('GET /auth/session', () => ({ json: sessionOf() }))
  popup.closed = true
  await vi.advanceTimersByTimeAsync(9000)
  expect(await attempt).toBe('signed in')
  expect(await page.email()).toBe('asha@example.com')
})

test('the sign-in that was there before is no result of the popup', async () => {
  stubServer({ ...signedOutServer, 'GET /auth/session': () => ({ json: sessionOf(claimsOf({ sid: 'old' })) }) })
  const page = await freshPage()
  await page.adoptSession()
  const popups = stubPopups()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  const attempt = codeOf(page.signInByPopup())
  await atProvider(popups[0])
  if (popups[0]) popups[0].closed = true
  await vi.advanceTimersByTimeAsync(9000)
  expect(await attempt).toBe('popup-closed-by-user')
  expect(await page.email()).toBe('asha@example.com')
})

test('an announced result that does not come is looked for after 5 s', async () => {
  const server = stubServer(signedOutServer)
  const { page, popup, attempt, outcome } = await openedPopup()
  server.answer('GET /auth/session', () => ({ json: sessionOf() }))
  void page.sessionReady()
  await vi.advanceTimersByTimeAsync(4400)
  expect(outcome()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1100)
  expect(await attempt).toBe('signed in')
  expect(popup.closed).toBe(true)
})

test('a popup whose page does not load is given up after 30 s', async () => {
  stubServer({ ...signedOutServer, 'GET /v1/projects': () => new Promise(() => {}) })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  const empty = { closed: false, location: { href: 'about:blank', replace: () => {} }, focus() {}, close() {} }
  vi.stubGlobal('open', () => empty)
  const page = await freshPage()
  const attempt = codeOf(page.signInByPopup())
  let outcome: unknown
  void attempt.then((value) => {
    outcome = value
  })
  await vi.advanceTimersByTimeAsync(29_000)
  expect(outcome).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1500)
  expect(await attempt).toBe('network-request-failed')
})

test('a second popup cancels the first, has a name of its own and signs in', async () => {
  stubServer({ ...signedOutServer, ...tokens() })
  const popups = stubPopups()
  const page = await freshPage()
  const first = codeOf(page.signInByPopup())
  await atProvider(popups[0])
  const second = codeOf(page.signInByPopup())
  expect(await first).toBe('cancelled-popup-request')
  expect(popups[0]?.closed).toBe(true)
  await atProvider(popups[1])
  expect(popups[1]?.closed).toBe(false)
  expect(popups[1]?.name).not.toBe(popups[0]?.name)
  popups[1]?.report({ code: 'c2' })
  expect(await second).toBe('signed in')
})

test('a session that begins after its popup was given up is taken over, and whoever waits for it hears', async () => {
  const server = stubServer(signedOutServer)
  const { page, popup, attempt } = await openedPopup()
  popup.closed = true
  await vi.advanceTimersByTimeAsync(9000)
  await attempt
  const heard = vi.fn()
  page.onLateSignIn(heard)
  server.answer('GET /auth/session', () => ({ json: sessionOf() }))
  await page.sessionReady()
  expect(heard).toHaveBeenCalledOnce()
  expect(await page.email()).toBe('asha@example.com')
})
