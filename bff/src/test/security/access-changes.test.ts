import { accessKey } from '@parley/contracts/account/profile-internal'
import { openDatabaseOf } from '@parley/service-kit/testing/test-database'
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { browserOf } from '../issued-session.ts'
import { newAddress } from '../mailbox.ts'
import { forThisTest } from '../running.ts'
import { type Bff, startBff } from '../start-bff.ts'

let here: Bff
let there: Bff
let profileDatabase: Awaited<ReturnType<typeof openDatabaseOf>>
beforeAll(async () => {
  const url = inject('stack').env.profile['MONGODB_URL'] ?? ''
  profileDatabase = await openDatabaseOf(url)
  // The longest: a slow machine asks twice within it, too.
  here = await startBff({ SESSION_CACHE_MS: '5000' })
  there = await startBff({ SESSION_CACHE_MS: '5000' })
})
afterAll(() => Promise.all([here.stop(), there.stop(), profileDatabase.close()]))

let browser: ReturnType<Bff['browser']>
let secret: string
beforeEach(async () => {
  browser = here.browser()
  expect((await browser.signUp(newAddress(), 'correct horse')).status).toBe(201)
  expect((await browser.send('GET', '/api/auth/user')).status).toBe(200)
  secret = browser.cookie().split('=')[1] ?? ''
})

/** The session as an instance works with it for a call of the page. */
async function sessionAt({ dependencies: { store, sessions } }: Bff) {
  const session = await store.loadInUse(secret)
  return session && sessions.withContext(session)
}
const roleAt = async (bff: Bff) => (await sessionAt(bff))?.hot.context.role

async function changeMember(change: object) {
  const session = await sessionAt(here)
  if (!session) throw new Error('the session is gone')
  const { context } = session.hot
  const members = profileDatabase.collection('members')
  const member = await members.findOneAndUpdate(
    { userId: new profileDatabase.base.Types.ObjectId(context.userId) },
    { $set: change, $inc: { version: 1 } },
    { returnDocument: 'after' },
  )
  return { session, context, announce: () => here.dependencies.redis.set(accessKey(context), member?.['version']) }
}

/** Asks until the answers come from memory. */
async function keptInMemory(bff: Bff) {
  const { redis } = bff.dependencies
  await vi.waitFor(async () => {
    const looks = [vi.spyOn(redis, 'get'), vi.spyOn(redis, 'pipeline')]
    await roleAt(bff)
    const asked = looks.map((look) => look.mock.calls.length)
    for (const look of looks) look.mockRestore()
    expect(asked).toEqual([0, 0])
  })
}

test('another role counts at every instance, also where the session is kept in memory', async () => {
  await Promise.all([keptInMemory(here), keptInMemory(there)])
  const { announce } = await changeMember({ role: 'viewer' })
  expect([await roleAt(here), await roleAt(there)]).toEqual(['owner', 'owner'])
  await announce()
  for (const bff of [here, there]) await vi.waitFor(async () => expect(await roleAt(bff)).toBe('viewer'))
  expect((await here.dependencies.store.load(secret))?.hot.context).toMatchObject({ role: 'viewer', version: 2 })
})

test('a change that nobody could announce counts once the page has asked for its user', async () => {
  await changeMember({ role: 'viewer' })
  expect((await browser.send('GET', '/api/auth/user')).status).toBe(200)
  await vi.waitFor(async () => expect(await roleAt(there)).toBe('viewer'))
})

test('whoever was removed is signed out by their next call, at every instance', async () => {
  const { announce } = await changeMember({ status: 'removed' })
  await announce()
  const answer = await browserOf(there, secret).send('GET', '/api/auth/user')
  expect([answer.status, await answer.json()]).toMatchObject([401, { code: 'session_expired' }])
  await vi.waitFor(async () => expect((await browser.send('GET', '/api/auth/user')).status).toBe(401))
})

test.each([
  ['another role', { role: 'viewer' }],
  ['removal', { status: 'removed' }],
])('%s ends the event streams of the session everywhere', async (_what, change) => {
  const { session, announce } = await changeMember(change)
  const areOpen = () => Promise.all([here, there].map((bff) => bff.dependencies.sessions.isCurrent(session)))
  expect(await areOpen()).toEqual([true, true])
  await announce()
  await vi.waitFor(async () => expect(await areOpen()).toEqual([false, false]))
})

test('the old role is not good any more while profile cannot say the new one', async () => {
  const alone = await forThisTest(startBff({ PROFILE_URL: 'http://127.0.0.1:9' }))
  expect(await roleAt(alone)).toBe('owner')
  const { announce } = await changeMember({ role: 'viewer' })
  await announce()
  expect((await browserOf(alone, secret).send('GET', '/api/auth/user')).status).toBe(503)
})

test('a version that profile knows nothing of is asked about once', async () => {
  const { context } = await changeMember({})
  await here.dependencies.redis.set(accessKey(context), '99')
  await vi.waitFor(async () => expect((await sessionAt(here))?.hot.context.version).toBe(2))
  const stored = await here.dependencies.store.load(secret)
  for (let call = 0; call < 3; call += 1) await sessionAt(here)
  // A fetched context would be stored as another version of the session.
  expect((await here.dependencies.store.load(secret))?.version).toBe(stored?.version)
})
