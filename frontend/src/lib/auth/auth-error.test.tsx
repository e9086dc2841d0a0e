import { waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { stubPopups } from '../../testing/stub-popups.ts'
import { errorOf, signedOutServer, stubServer } from '../../testing/stub-server.ts'
import { type AuthErrorCode, authErrorCodes } from './auth-error.ts'

beforeEach(() => {
  vi.resetModules()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  localStorage.clear()
  sessionStorage.clear()
})

/** Tries to sign in by popup; `during` runs once the popup is at the provider. @returns the error. */
async function attempt(during: (report: (params: Record<string, string>) => void) => void = () => {}) {
  const popups = stubPopups()
  const { signInByPopup } = await import('./popup.ts')
  let over = false
  const failed = signInByPopup()
    .then(
      () => undefined,
      (error: unknown) => error,
    )
    .finally(() => {
      over = true
    })
  await waitFor(() => expect(over || popups[0]?.url().pathname === '/auth/authorize').toBe(true))
  during((params) => popups[0]?.report(params))
  const error = await failed
  return { error, popups }
}

const failure = (code: AuthErrorCode, message = 'Failed to sign in with Google') => ({ code, message })

test('the ten codes', () => {
  expect([...authErrorCodes].sort()).toEqual(
    [
      'web-storage-unsupported cancelled-popup-request popup-closed-by-user popup-blocked network-request-failed',
      'unauthorized-domain internal-error invalid-auth-event invalid-api-key auth-domain-config-required',
    ]
      .flatMap((line) => line.split(' '))
      .sort(),
  )
})

test('invalid-api-key: a key with a colon, before anything is opened or asked', async () => {
  vi.stubEnv('VITE_API_KEY', 'project:secret')
  const server = stubServer(signedOutServer)
  const { error, popups } = await attempt()
  expect(error).toMatchObject(failure('invalid-api-key'))
  expect(popups).toEqual([])
  expect(server.calls).toEqual([])
})

test('invalid-api-key: the server does not know it', async () => {
  stubServer({
    ...signedOutServer,
    'GET /v1/projects': () => ({ status: 400, json: errorOf('invalid_api_key', 'The API key is not known.') }),
  })
  expect((await attempt()).error).toMatchObject(failure('invalid-api-key', 'The API key is not known.'))
})

test('auth-domain-config-required: a page without an origin of its own', async () => {
  vi.spyOn(window.location, 'origin', 'get').mockReturnValue('null')
  stubServer(signedOutServer)
  expect((await attempt()).error).toMatchObject(failure('auth-domain-config-required'))
})

test('web-storage-unsupported: the browser keeps nothing', async () => {
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('denied', 'SecurityError')
    },
  })
  stubServer(signedOutServer)
  const { error, popups } = await attempt()
  expect(error).toMatchObject(failure('web-storage-unsupported'))
  expect(popups).toEqual([])
})

test('unauthorized-domain: the page’s domain is not on the list; the popup goes', async () => {
  stubServer({
    ...signedOutServer,
    'GET /v1/projects': () => ({ json: { projectId: 'parley', authorizedDomains: ['parley.example'] } }),
  })
  const { error, popups } = await attempt()
  expect(error).toMatchObject(failure('unauthorized-domain'))
  expect(popups[0]?.closed).toBe(true)
})

test.each<[AuthErrorCode, string]>([
  ['popup-closed-by-user', 'access_denied'],
  ['network-request-failed', 'temporarily_unavailable'],
  ['unauthorized-domain', 'unauthorized_domain'],
  ['invalid-auth-event', 'invalid_auth_event'],
  ['internal-error', 'server_error'],
])('%s: the handler page reports %s', async (code, word) => {
  stubServer(signedOutServer)
  const { error } = await attempt((report) => report({ error: word, error_description: word }))
  expect(error).toMatchObject(failure(code))
})

test.each<[AuthErrorCode, string, () => { status: number; json: unknown } | Promise<never>]>([
  ['network-request-failed', 'no answer', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['network-request-failed', '503', () => ({ status: 503, json: { error: 'temporarily_unavailable' } })],
  ['invalid-auth-event', 'a code used before', () => ({ status: 400, json: { error: 'invalid_grant' } })],
  ['internal-error', 'something else', () => ({ status: 500, json: { error: 'server_error' } })],
])('%s: %s when the code is redeemed', async (code, _, answer) => {
  stubServer({ ...signedOutServer, 'POST /auth/token': answer })
  expect((await attempt((report) => report({ code: 'c1' }))).error).toMatchObject(failure(code))
})

test('invalid-auth-event: a popup’s event without a code', async () => {
  stubServer(signedOutServer)
  expect((await attempt((report) => report({}))).error).toMatchObject(failure('invalid-auth-event'))
})

test('popup-blocked: the browser opens nothing, or something closed', async () => {
  stubServer(signedOutServer)
  for (const window of [null, { closed: true }]) {
    vi.stubGlobal('open', () => window)
    const { signInByPopup } = await import('./popup.ts')
    await expect(signInByPopup()).rejects.toMatchObject(failure('popup-blocked'))
  }
})

test('the provider’s message, where there is one, is the error’s', async () => {
  stubServer({
    ...signedOutServer,
    'POST /auth/token': () => ({ status: 429, json: { error: 'slow_down', error_description: 'Too many attempts.' } }),
  })
  const { error } = await attempt((report) => report({ code: 'c1' }))
  expect(error).toMatchObject({ code: 'internal-error', message: 'Too many attempts.' })
})

test('an authorized domain covers those below it; an address does not', async () => {
  const { isAuthorized } = await import('./authorized-domain.ts')
  const at = (hostname: string, protocol = 'https:') =>
    isAuthorized({ protocol, hostname }, ['parley.example', '10.0.0.1'])
  expect([at('parley.example'), at('app.parley.example'), at('10.0.0.1')]).toEqual([true, true, true])
  expect([at('notparley.example'), at('1.10.0.0.1'), at('parley.example', 'file:')]).toEqual([false, false, false])
})
