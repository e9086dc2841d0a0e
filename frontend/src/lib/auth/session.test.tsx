import { waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { freshPage } from '../../testing/fresh-page.ts'
import { claimsOf, sessionOf, signedOutServer, stubServer, tokensOf } from '../../testing/stub-server.ts'

beforeEach(() => {
  vi.resetModules()
  localStorage.clear()
})

/** A promise and the way to fulfil it. */
const gate = () => Promise.withResolvers<void>()

test('adopting takes over the session and leaves no token in storage', async () => {
  const claims = claimsOf()
  stubServer({ 'GET /auth/session': () => ({ json: sessionOf(claims) }) })
  const page = await freshPage()
  expect(await page.adoptSession()).toBe('signed-in')
  expect(await page.email()).toBe('asha@example.com')
  expect(await page.withIdToken(async (bearer) => bearer)).toBe(sessionOf(claims).id_token)
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain(sessionOf(claims).id_token)
})

test('adopting at the same time is one request', async () => {
  const server = stubServer({ 'GET /auth/session': () => ({ json: sessionOf() }) })
  const page = await freshPage()
  await Promise.all([page.adoptSession(), page.adoptSession(), page.adoptSession()])
  expect(server.count('GET /auth/session')).toBe(1)
})

test.each([[{ status: 503 }], [{ json: { unexpected: true } }]])(
  'an answer that says nothing never signs out: %j',
  async (answer) => {
    const server = stubServer({ 'GET /auth/session': () => ({ json: sessionOf() }) })
    const page = await freshPage()
    await page.adoptSession()
    server.answer('GET /auth/session', () => answer)
    expect(await page.adoptSession()).toBe('unavailable')
    expect(await page.email()).toBe('asha@example.com')
  },
)

test('a session that has ended elsewhere signs this page out', async () => {
  const server = stubServer({ 'GET /auth/session': () => ({ json: sessionOf() }) })
  const page = await freshPage()
  await page.adoptSession()
  server.answer('GET /auth/session', () => ({ json: { authenticated: false } }))
  expect(await page.adoptSession()).toBe('signed-out')
  expect(await page.email()).toBeUndefined()
})

test('a renewal that is under way during a sign-out does not sign back in', async () => {
  const server = stubServer({
    'GET /auth/session': () => ({ json: sessionOf() }),
    'POST /auth/sign-out': () => ({ status: 204 }),
  })
  const page = await freshPage()
  await page.adoptSession()
  const late = gate()
  server.answer('GET /auth/session', async () => {
    await late.promise
    return { json: sessionOf() }
  })
  const renewal = page.adoptSession()
  await page.signOut()
  late.resolve()
  expect(await renewal).toBe('superseded')
  expect(await page.email()).toBeUndefined()
})

test('a sign-out that the server does not confirm leaves the person signed in', async () => {
  stubServer({ 'GET /auth/session': () => ({ json: sessionOf() }), 'POST /auth/sign-out': () => ({ status: 503 }) })
  const page = await freshPage()
  await page.adoptSession()
  await expect(page.signOut()).rejects.toMatchObject({ code: 'network-request-failed', message: 'Failed to sign out' })
  expect(await page.email()).toBe('asha@example.com')
})

test('another person’s session drops everything and loads the page again', async () => {
  const server = stubServer({ 'GET /auth/session': () => ({ json: sessionOf() }) })
  const page = await freshPage()
  await page.adoptSession()
  const dropped = vi.fn()
  page.onSessionEnd(dropped)
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
  server.answer('GET /auth/session', () => ({ json: sessionOf(claimsOf({ sub: 'ben' })) }))
  void page.adoptSession()
  await waitFor(() => expect(reload).toHaveBeenCalledOnce())
  expect(dropped).toHaveBeenCalledOnce()
  const act = vi.fn()
  await expect(page.withIdToken(act)).rejects.toThrow('Nobody is signed in')
  expect(act).not.toHaveBeenCalled()
  reload.mockRestore()
})

test('a session that was lost is told; one that was ended here or in another tab is not', async () => {
  const server = stubServer({
    'GET /auth/session': () => ({ json: sessionOf() }),
    'POST /auth/sign-out': () => ({ status: 204 }),
  })
  const page = await freshPage()
  await (await import('./boot.ts')).boot()
  const lost = vi.fn()
  page.onSessionLost(lost)
  await page.signOut()
  await page.adoptSession()
  const other = new BroadcastChannel('auth')
  other.postMessage({ type: 'signed-out' })
  await waitFor(async () => expect(await page.email()).toBeUndefined())
  other.close()
  expect(lost).not.toHaveBeenCalled()
  await page.adoptSession()
  server.answer('GET /auth/session', () => ({ json: { authenticated: false } }))
  await page.adoptSession()
  expect(lost).toHaveBeenCalledOnce()
})

test.each([-300, 300])(
  'a clock that is %i s off: the token is used while it lives, and renewed after',
  async (offBy) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const claims = claimsOf()
    vi.setSystemTime(Date.now() + offBy * 1000)
    const server = stubServer({ 'GET /auth/session': () => ({ json: sessionOf(claims) }) })
    const page = await freshPage()
    expect(await page.adoptSession()).toBe('signed-in')
    const token = () => page.withIdToken(async (bearer) => bearer)
    expect(await token()).toBe(sessionOf(claims).id_token)
    expect(server.count('GET /auth/session')).toBe(1)
    const renewed = sessionOf(claimsOf({ name: 'Renewed' }))
    server.answer('GET /auth/session', () => ({ json: renewed }))
    vi.setSystemTime(Date.now() + 3600_000)
    expect(await token()).toBe(renewed.id_token)
    vi.useRealTimers()
  },
)

test('an error of the password sign-in holds nothing that was typed', async () => {
  stubServer({
    ...signedOutServer,
    'POST /auth/token': () => ({ status: 400, json: { error: 'invalid_grant', error_description: 'No.' } }),
  })
  const page = await freshPage()
  const error = await page
    .signInWithPassword({ email: 'asha@example.com', password: 'top-secret' })
    .catch((e: unknown) => e)
  expect(error).toMatchObject({ message: 'No.', providerMessage: 'No.' })
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('top-secret')
  expect(error instanceof Error && error.cause).toBeUndefined()
})

test('a sign-in is told to the other tabs, and theirs is heard', async () => {
  stubServer({ ...signedOutServer, 'POST /auth/token': () => ({ json: tokensOf() }) })
  const page = await freshPage()
  const heard: unknown[] = []
  const other = new BroadcastChannel('auth')
  other.addEventListener('message', (event) => heard.push(event.data))
  await page.signInWithPassword({ email: 'asha@example.com', password: 'secret1' })
  await waitFor(() => expect(heard).toEqual([{ type: 'signed-in' }]))
  other.close()
})

test('following the other tabs: signed out there is signed out here', async () => {
  stubServer({ 'GET /auth/session': () => ({ json: sessionOf() }) })
  const page = await freshPage()
  await (await import('./boot.ts')).boot()
  expect(await page.email()).toBe('asha@example.com')
  const other = new BroadcastChannel('auth')
  other.postMessage({ type: 'signed-out' })
  await waitFor(async () => expect(await page.email()).toBeUndefined())
  other.close()
})

test('a token that is about to end is renewed by adopting the session', async () => {
  const server = stubServer({ 'GET /auth/session': () => ({ json: { ...sessionOf(), expires_in: 61 } }) })
  const page = await freshPage()
  await page.adoptSession()
  server.answer('GET /auth/session', () => ({ json: sessionOf(claimsOf({ name: 'Renewed' })) }))
  await waitFor(async () => expect((await page.userManager.getUser())?.profile.name).toBe('Renewed'))
  expect(server.calls.every(({ path }) => path === '/auth/session')).toBe(true)
})

test('a page that comes back from the browser’s cache asks who is signed in', async () => {
  const server = stubServer({ 'GET /auth/session': () => ({ json: sessionOf() }) })
  const page = await freshPage()
  await (await import('./boot.ts')).boot()
  server.answer('GET /auth/session', () => ({ json: { authenticated: false } }))
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  await waitFor(async () => expect(await page.email()).toBeUndefined())
})
