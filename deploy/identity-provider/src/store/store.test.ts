import { createLogger } from '@parley/service-kit/core/logger'
import { afterEach, expect, test, vi } from 'vitest'
import { hashOf, mailLink } from '../mail-links.ts'
import { createAdapter } from '../oidc/adapter.ts'
import { isLocked, recordFailure } from '../sign-in.ts'
import { openDatabase, removeExpired } from './records.ts'
import { openStores } from './stores.ts'

const logger = createLogger({ name: 'test', level: 'fatal' })

const profile = {
  email: 'ann@example.com',
  emailVerified: false,
  enabled: true,
  firstName: null,
  lastName: null,
  picture: null,
  requiredActions: [],
  password: null,
}

function setUp() {
  const stores = openStores(openDatabase(':memory:'), { sessionIdle: 100, sessionMax: 250 })
  const user = stores.users.create(profile)
  const start = () =>
    stores.sessions.start({ sid: 's', userId: user.id, clientId: 'c', viaGoogle: false, ip: '::1' }).sid
  /** Sends a mail. @returns the key in its link */
  async function mailedKey(lifespanSeconds: number): Promise<string> {
    let key = ''
    const sendMail = async ({ link }: { link: string }) => {
      key = link.split('key=')[1] ?? ''
    }
    const parts = { ...stores, issuer: 'http://id.example', sendMail, logger }
    await mailLink(parts, user, { action: 'VERIFY_EMAIL', lifespanSeconds })
    return key
  }
  return { ...stores, stores, user, start, mailedKey }
}

afterEach(() => {
  vi.useRealTimers()
})

const inSeconds = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

test('an address belongs to one account, whatever its case', () => {
  const { users, user } = setUp()
  expect(() => users.create(profile)).toThrow('409')
  expect(users.findByEmail('ANN@example.com')?.id).toBe(user.id)
  const other = users.create({ ...profile, email: 'bob@example.com' })
  expect(() => users.update(other.id, { email: user.email })).toThrow('409')
})

test('a search takes its wildcards literally', () => {
  const { users } = setUp()
  users.create({ ...profile, email: 'a_b@example.com' })
  expect(users.search('_', { first: 0, max: 10 }).map(({ email }) => email)).toEqual(['a_b@example.com'])
  expect(users.search('', { first: 1, max: 10 })).toHaveLength(1)
})

test('a session ends when idle and at its longest age, use or not', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { sessions, user, start } = setUp()
  const sid = start()
  const use = () => {
    const live = sessions.find(sid)
    return live && sessions.secondsLeft(sessions.touch(live))
  }
  inSeconds(90)
  expect(use()).toBe(100)
  inSeconds(90)
  expect(use()).toBe(70)
  inSeconds(71)
  expect(sessions.find(sid)).toBeUndefined()
  expect(sessions.listOf(user.id)).toEqual([])
})

test('an idle session is gone', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { database, sessions, start } = setUp()
  const sid = start()
  inSeconds(101)
  expect(sessions.find(sid)).toBeUndefined()
  expect(sessions.remove(sid)).toBeUndefined()
  removeExpired(database)
  expect(database.prepare("SELECT * FROM records WHERE kind = 'Session'").all()).toEqual([])
})

test('a removed account takes its sessions and links along', async () => {
  const { users, user, sessions, mailLinks, start, mailedKey } = setUp()
  const sid = start()
  const key = await mailedKey(60)
  users.remove(user.id)
  expect([sessions.find(sid), mailLinks.find(hashOf(key))]).toEqual([undefined, undefined])
})

test('each failure in a row from the hundredth on locks, longer each hundred up to the limit; quiet time forgives', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { stores, user, failures } = setUp()
  const fail = (times: number) => {
    for (let count = 0; count < times; count += 1) recordFailure(stores, user.id)
  }
  fail(99)
  expect(isLocked(stores, user.id)).toBe(false)
  fail(1)
  expect(failures.find(user.id)).toMatchObject({ count: 100 })
  inSeconds(59)
  expect(isLocked(stores, user.id)).toBe(true)
  inSeconds(1)
  expect(isLocked(stores, user.id)).toBe(false)
  fail(1500)
  inSeconds(899)
  expect(isLocked(stores, user.id)).toBe(true)
  inSeconds(1)
  expect(isLocked(stores, user.id)).toBe(false)
  inSeconds(43_200)
  fail(1)
  expect(failures.find(user.id)).toMatchObject({ count: 1 })
  expect(isLocked(stores, user.id)).toBe(false)
})

test('a link is used once, never after its end, and its key is not in the file', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { database, mailLinks, user, mailedKey } = setUp()
  const key = await mailedKey(60)
  expect(JSON.stringify(database.prepare('SELECT * FROM records').all())).not.toContain(key)
  expect(mailLinks.find(hashOf(key))).toMatchObject({ action: 'VERIFY_EMAIL', email: user.email })
  expect(mailLinks.remove(hashOf(key))).toMatchObject({ userId: user.id })
  expect(mailLinks.remove(hashOf(key))).toBeUndefined()
  const late = await mailedKey(60)
  inSeconds(60)
  expect(mailLinks.remove(hashOf(late))).toBeUndefined()
})

test('protocol records expire, are consumed and go with their grant', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const codes = createAdapter(setUp().database)('AuthorizationCode')
  await codes.upsert('c1', { grantId: 'g1' }, 60)
  await codes.consume('c1')
  expect(await codes.find('c1')).toMatchObject({ grantId: 'g1', consumed: expect.any(Number) })
  inSeconds(60)
  expect(await codes.find('c1')).toBeUndefined()
  await codes.upsert('c2', { grantId: 'g1' }, 60)
  await codes.revokeByGrantId('g1')
  expect(await codes.find('c2')).toBeUndefined()
})

test('a browser session is never kept', async () => {
  const sessions = createAdapter(setUp().database)('Session')
  await sessions.upsert('s1', { accountId: 'u1' }, 60)
  expect(await sessions.find('s1')).toBeUndefined()
})
