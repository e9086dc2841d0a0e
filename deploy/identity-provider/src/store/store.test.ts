import { afterEach, expect, test, vi } from 'vitest'
import { createActionLinkStore } from './action-links.ts'
import { openRealmDatabase } from './database.ts'
import { createLoginFailures } from './login-failures.ts'
import { createProtocolRecords } from './protocol-records.ts'
import { createSessionStore } from './sessions.ts'
import { createUserStore, EmailTakenError } from './users.ts'

const profile = {
  email: 'ann@example.com',
  emailVerified: false,
  enabled: true,
  firstName: null,
  lastName: null,
  attributes: {},
  requiredActions: [],
}

function setUp() {
  const database = openRealmDatabase(':memory:')
  const users = createUserStore(database)
  return { database, users, user: users.create(profile, 'hash') }
}

afterEach(() => {
  vi.useRealTimers()
})

const inSeconds = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

test('an address belongs to one account, whatever its case', () => {
  const { users, user } = setUp()
  expect(() => users.create(profile, undefined)).toThrow(EmailTakenError)
  expect(users.findByEmail('ANN@example.com')?.id).toBe(user.id)
  const other = users.create({ ...profile, email: 'bob@example.com' }, undefined)
  expect(() => users.update({ ...other, email: user.email })).toThrow(EmailTakenError)
})

test('a search takes its wildcards literally', () => {
  const { users } = setUp()
  users.create({ ...profile, email: 'a_b@example.com' }, undefined)
  expect(users.search('_', { first: 0, max: 10 }).map(({ email }) => email)).toEqual(['a_b@example.com'])
  expect(users.search('', { first: 1, max: 10 })).toHaveLength(1)
})

test('a session ends when idle and at its longest age, use or not', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { database, user } = setUp()
  const sessions = createSessionStore(database, { sessionIdle: 100, sessionMax: 250 })
  const { sid } = sessions.start({ userId: user.id, clientId: 'c', grantId: 'g', identityProvider: null, ip: '::1' })
  inSeconds(90)
  sessions.touch(sid)
  inSeconds(90)
  const live = sessions.find(sid)
  expect(live && sessions.secondsLeft(live)).toBe(70)
  sessions.touch(sid)
  inSeconds(71)
  expect(sessions.find(sid)).toBeUndefined()
  expect(sessions.listOfUser(user.id)).toEqual([])
})

test('an idle session is gone', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { database, user } = setUp()
  const sessions = createSessionStore(database, { sessionIdle: 100, sessionMax: 250 })
  const { sid } = sessions.start({ userId: user.id, clientId: 'c', grantId: 'g', identityProvider: null, ip: '::1' })
  inSeconds(101)
  expect(sessions.find(sid)).toBeUndefined()
  sessions.purge()
  expect(sessions.remove(sid)).toBe(false)
})

test('a removed account takes its sessions and links along', () => {
  const { database, users, user } = setUp()
  const sessions = createSessionStore(database, { sessionIdle: 100, sessionMax: 250 })
  const links = createActionLinkStore(database)
  const { sid } = sessions.start({ userId: user.id, clientId: 'c', grantId: 'g', identityProvider: null, ip: '::1' })
  const key = links.create({ action: 'VERIFY_EMAIL', userId: user.id, email: user.email, redirectUri: null }, 60)
  users.remove(user.id)
  expect([sessions.find(sid), links.find(key)]).toEqual([undefined, undefined])
})

test('every hundredth failure in a row locks, longer each time up to the limit; quiet time forgives', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { database, user } = setUp()
  const limits = { failureFactor: 3, waitIncrement: 60, maxWait: 100, maxDelta: 1000 }
  const failures = createLoginFailures(database, limits)
  const fail = () => failures.record(user.id, '10.0.0.1')
  fail()
  fail()
  expect(failures.isLocked(user.id)).toBe(false)
  fail()
  expect(failures.describe(user.id)).toMatchObject({ numFailures: 3, numTemporaryLockouts: 1, disabled: true })
  inSeconds(60)
  expect(failures.isLocked(user.id)).toBe(false)
  for (let count = 0; count < 3; count += 1) fail()
  inSeconds(99)
  expect(failures.isLocked(user.id)).toBe(true)
  inSeconds(1)
  expect(failures.isLocked(user.id)).toBe(false)
  inSeconds(1001)
  fail()
  expect(failures.describe(user.id)).toMatchObject({ numFailures: 1, lastIPFailure: '10.0.0.1', disabled: false })
  failures.clear(user.id)
  expect(failures.describe(user.id)).toMatchObject({ numFailures: 0, lastIPFailure: 'n/a' })
})

test('a link is used once, never after its end, and its key is not in the file', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { database, user } = setUp()
  const links = createActionLinkStore(database)
  const link = { action: 'VERIFY_EMAIL' as const, userId: user.id, email: user.email, redirectUri: null }
  const key = links.create(link, 60)
  expect(JSON.stringify(database.prepare('SELECT * FROM action_links').all())).not.toContain(key)
  expect(links.find(key)).toMatchObject({ used: false, expired: false })
  expect([links.consume(key), links.consume(key)]).toEqual([true, false])
  expect(links.find(key)).toMatchObject({ used: true })
  const late = links.create(link, 60)
  inSeconds(60)
  expect(links.find(late)).toMatchObject({ expired: true })
  expect(links.consume(late)).toBe(false)
})

test('protocol records expire, are consumed and go with their grant', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { database } = setUp()
  const codes = createProtocolRecords(database).adapterFor('AuthorizationCode')
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
  const { database } = setUp()
  const sessions = createProtocolRecords(database).adapterFor('Session')
  await sessions.upsert('s1', { accountId: 'u1' }, 60)
  expect(await sessions.find('s1')).toBeUndefined()
})
