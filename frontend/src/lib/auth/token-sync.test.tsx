import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { claimsOf, sessionOf, signedOutServer, stubServer } from '../../testing/stub-server.ts'

const path = '/auth/token-sync'

beforeEach(() => {
  vi.resetModules()
  localStorage.clear()
  vi.stubGlobal('isSecureContext', true)
})
afterEach(() => void vi.useRealTimers())

/** Renders a page with token sync to a path, whose server signs a person in. */
async function syncingPage(target: string, claims = claimsOf()) {
  const server = stubServer({
    ...signedOutServer,
    'GET /auth/session': () => ({ json: sessionOf(claims) }),
    [`POST ${path}`]: () => ({ status: 204 }),
    [`DELETE ${path}`]: () => ({ status: 204 }),
  })
  const { startTokenSync } = await import('./boot.ts')
  const session = await import('./session.ts')
  startTokenSync(target)
  const synced = () => server.calls.filter((call) => call.path.includes('token-sync')).map(({ method }) => method)
  return { ...session, server, synced }
}

test('a new token is posted once as Bearer, its successor too, and DELETE follows the end', async () => {
  const { adoptSession, endSessionLocally, server, synced } = await syncingPage(path)
  const token = sessionOf().id_token
  server.answer('GET /auth/session', () => ({ json: { ...sessionOf(), id_token: token } }))
  await adoptSession()
  await adoptSession()
  expect(synced()).toEqual(['POST'])
  const post = server.calls.find((call) => call.path === path)
  expect(post?.headers.get('authorization')).toBe(`Bearer ${token}`)

  server.answer('GET /auth/session', () => ({ json: sessionOf(claimsOf({ name: 'Renewed' })) }))
  await adoptSession()
  expect(synced()).toEqual(['POST', 'POST'])

  await endSessionLocally()
  expect(synced()).toEqual(['POST', 'POST', 'DELETE'])
  const last = server.calls.at(-1)
  expect(last?.headers.get('authorization')).toBeNull()
  expect(last?.headers.get('x-csrf')).toBe('1')
})

test.each([
  [301, []],
  [299, ['POST']],
])('a token that is %i s old: %j', async (ageSeconds, expected) => {
  // The age counts in seconds: none of them may pass here.
  vi.useFakeTimers({ toFake: ['Date'] })
  const iat = Math.floor(Date.now() / 1000) - ageSeconds
  const { adoptSession, synced } = await syncingPage(path, claimsOf({ iat }))
  expect(await adoptSession()).toBe('signed-in')
  expect(synced()).toEqual(expected)
})

test.each([-300, 300])('a device whose clock is %i s off posts a new token all the same', async (offBy) => {
  const claims = claimsOf()
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + offBy * 1000)
  const { adoptSession, synced } = await syncingPage(path, claims)
  expect(await adoptSession()).toBe('signed-in')
  expect(synced()).toEqual(['POST'])
})

test.each([
  '',
  'https://elsewhere.example/auth/token-sync',
  '//elsewhere.example/token-sync',
  '/\\elsewhere/token-sync',
])('off for %j', async (target) => {
  const { adoptSession, synced } = await syncingPage(target)
  expect(await adoptSession()).toBe('signed-in')
  expect(synced()).toEqual([])
})

test('off on a page without a secure context', async () => {
  vi.stubGlobal('isSecureContext', false)
  const { adoptSession, synced } = await syncingPage(path)
  await adoptSession()
  expect(synced()).toEqual([])
})

test('a failure is nobody’s concern', async () => {
  const { adoptSession, server, email } = await syncingPage(path).then(async (page) => ({
    ...page,
    email: async () => (await (await import('./user-manager.ts')).userManager.getUser())?.profile.email,
  }))
  server.answer(`POST ${path}`, () => Promise.reject(new TypeError('Failed to fetch')))
  expect(await adoptSession()).toBe('signed-in')
  expect(await email()).toBe('asha@example.com')
})

test('the setting of the build switches it on', async () => {
  vi.stubEnv('VITE_TOKEN_SYNC_URL', path)
  const server = stubServer({
    ...signedOutServer,
    'GET /auth/session': () => ({ json: sessionOf() }),
    [`POST ${path}`]: () => ({ status: 204 }),
  })
  await (await import('./boot.ts')).boot()
  expect(server.count(`POST ${path}`)).toBe(1)
  vi.unstubAllEnvs()
})
