import { createLogger } from '@parley/service-kit/core/logger'
import { createRedis } from '@parley/service-kit/core/redis'
import { type BreakableLink, openBreakableLink } from '@parley/service-kit/testing/breakable-link'
import { freePort } from '@parley/service-kit/testing/free-port'
import type { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import { createUserCache } from '../modules/profile/user-cache.ts'
import { complete, ok, type Person, type ProfileUnderTest, startProfile } from './start-profile.ts'

let profile: ProfileUnderTest
let link: BreakableLink
let redis: Redis
beforeAll(async () => {
  const { urls } = inject('stack')
  link = await openBreakableLink(urls.redis)
  profile = await startProfile({ REDIS_URL: `redis://127.0.0.1:${link.port}` })
  redis = createRedis(urls.redis, { name: 'test', logger: createLogger({ name: 'test', level: 'silent' }) })
  await vi.waitUntil(() => redis.status === 'ready')
})
afterEach(() => link.mend())
afterAll(async () => {
  await profile.stop()
  redis.disconnect()
  await link.close()
})

const keyOf = (userId: string) => `profile:user:{${userId}}`
const users = () => profile.database.connection.collection('users')
/** Changes a stored name behind the service's back: only an answer from the cache still shows the old one. */
const renameBehindItsBack = (email: string, firstName: string) => users().updateOne({ email }, { $set: { firstName } })
/** Resolves once a read of this person has left an entry: after an outage the service leaves Redis alone for a while. */
const isCached = (person: Person) =>
  expect.poll(async () => (await person.get()) && redis.hexists(keyOf(person.context.userId), 'entry')).toBe(1)

test('a second read is served from Redis', async () => {
  const ann = await profile.signIn()
  ok(await ann.patch(complete))
  const { email } = await ann.get()
  await isCached(ann)
  await renameBehindItsBack(email, 'Stored')
  expect((await ann.get()).firstName).toBe('Ann')
  await redis.del(keyOf(ann.context.userId))
  expect((await ann.get()).firstName).toBe('Stored')
})

test('reads are counted by where their answer came from', async () => {
  const counted = async (result: string) => {
    const text = await (await fetch(`${profile.url}/metrics`)).text()
    return Number(new RegExp(`^user_cache_reads_total\\{.*result="${result}".*\\} (\\d+)$`, 'm').exec(text)?.[1])
  }
  const ann = await profile.signIn()
  await isCached(ann)
  const [hits, misses] = [await counted('hit'), await counted('miss')]
  await ann.get()
  expect([await counted('hit'), await counted('miss')]).toEqual([hits + 1, misses])
  await redis.del(keyOf(ann.context.userId))
  await ann.get()
  expect([await counted('hit'), await counted('miss')]).toEqual([hits + 1, misses + 1])
})

test('what is cached ends by itself', async () => {
  const ann = await profile.signIn()
  await isCached(ann)
  expect(await redis.pttl(keyOf(ann.context.userId))).toBeGreaterThan(0)
})

test('a change is seen by the next read, also in another process', async () => {
  const ann = await profile.signIn()
  const other = await startProfile({ MONGODB_URL: profile.database.url, INTERNAL_ISSUERS: profile.authority.issuers })
  const readThere = async () => ok(await other.call('GET', '/api/auth/user', { token: await ann.token() }))
  expect(await readThere()).toMatchObject({ firstName: '' })
  ok(await ann.patch(complete))
  expect(await readThere()).toMatchObject({ firstName: 'Ann' })
  await other.stop()
})

test('a read that began before a write cannot bring the old user back', async () => {
  const ann = await profile.signIn()
  const old = await ann.get()
  const [record] = await users().find({ email: old.email }).toArray()
  const late = { id: ann.context.userId, version: Number(record?.['version']) }
  ok(await ann.patch(complete))
  await createUserCache({ redis }).store(ann.context, late, old)
  expect((await ann.get()).firstName).toBe('Ann')
})

test('of writes that end in any order the newest stays', async () => {
  const ann = await profile.signIn()
  const user = await ann.get()
  const cache = createUserCache({ redis })
  const store = (version: number) =>
    cache.store(ann.context, { id: user.id, version }, { ...user, firstName: `version ${version}` })
  await Promise.all([103, 101, 104, 102].map(store))
  expect((await cache.read(ann.context))?.firstName).toBe('version 104')
})

test('an entry of another workspace, and one that is damaged, count as none', async () => {
  const ann = await profile.signIn()
  const user = await ann.get()
  const cache = createUserCache({ redis })
  expect(await cache.read(ann.context)).toEqual(user)
  expect(await cache.read({ ...ann.context, workspaceId: 'f'.repeat(24) })).toBeUndefined()
  for (const damaged of ['{"workspaceId"', '{}', '"text"', JSON.stringify({ user: { id: 1 } })]) {
    await redis.hset(keyOf(user.id), 'entry', damaged)
    expect(await cache.read(ann.context)).toBeUndefined()
    expect(await ann.get()).toEqual(user)
  }
})

test('a user too large for the cache is served whole, and never an older one', async () => {
  const ann = await profile.signIn()
  const user = await ann.get()
  const cache = createUserCache({ redis })
  const address = 'x'.repeat(200_000)
  await cache.store(ann.context, { id: user.id, version: 200 }, { ...user, address })
  expect(await cache.read(ann.context)).toBeUndefined()
  await cache.store(ann.context, { id: user.id, version: 199 }, user)
  expect(await cache.read(ann.context)).toBeUndefined()
})

test('with Redis gone in mid-flight reads and writes go on, and readiness says so', async () => {
  const ann = await profile.signIn()
  await ann.get()
  link.cut()
  expect((await ann.get()).firstName).toBe('')
  expect(ok(await ann.patch(complete))).toMatchObject({ firstName: 'Ann' })
  expect((await ann.get()).firstName).toBe('Ann')
  const ready = await profile.call('GET', '/readyz')
  expect([ready.status, JSON.parse(ready.text).parts]).toEqual([200, { mongodb: 'ok', redis: 'degraded' }])
})

test('what Redis missed while it was gone is not served from it afterwards', async () => {
  const ann = await profile.signIn()
  await isCached(ann)
  const held = () => redis.hget(keyOf(ann.context.userId), 'version')
  const before = Number(await held())
  link.cut()
  ok(await ann.patch(complete))
  expect(Number(await held())).toBe(before)
  link.mend()
  const readUntilRenewed = async () => {
    expect((await ann.get()).firstName).toBe('Ann')
    return Number(await held())
  }
  await expect.poll(readUntilRenewed).toBeGreaterThan(before)
  expect((await ann.get()).firstName).toBe('Ann')
})

test('a Redis that accepts and never answers does not hold every request up', async () => {
  const ann = await profile.signIn()
  await isCached(ann)
  link.silence()
  // Were each read to wait for Redis, this would go beyond the test's time limit.
  for (let read = 0; read < 200; read += 1) expect((await ann.get()).firstName).toBe('')
})

test('without any Redis at its start the service serves', async () => {
  const alone = await startProfile({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` })
  const ann = await alone.signIn()
  ok(await ann.patch(complete))
  expect((await ann.get()).firstName).toBe('Ann')
  await alone.stop()
})
