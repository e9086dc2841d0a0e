import { accessKey } from '@parley/contracts/account/profile-internal'
import { createLogger } from '@parley/service-kit/core/logger'
import { createRedis } from '@parley/service-kit/core/redis'
import { type BreakableLink, openBreakableLink } from '@parley/service-kit/testing/breakable-link'
import type { Redis } from 'ioredis'
import { Types } from 'mongoose'
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from 'vitest'
import { type Person, type ProfileUnderTest, startProfile } from './start-profile.ts'

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

const announced = ({ context }: Person) => redis.get(accessKey(context))
/** A change whose author died before it could be announced. */
const changeMember = (person: Person, change: object) =>
  profile.database.connection
    .collection('members')
    .updateOne({ userId: new Types.ObjectId(person.context.userId) }, { $set: change, $inc: { version: 1 } })

test('a membership is announced once it is committed, and not for ever', async () => {
  const ann = await profile.signIn()
  expect(await announced(ann)).toBe('1')
  expect(await redis.pttl(accessKey(ann.context))).toBeGreaterThan(0)
})

test('what Redis did not take is announced when it is back', async () => {
  link.cut()
  const ann = await profile.signIn()
  expect(await announced(ann)).toBeNull()
  link.mend()
  await expect.poll(() => announced(ann)).toBe('1')
})

test.each([
  ['another role', { role: 'viewer' }, 200],
  ['removal', { status: 'removed' }, 404],
])(
  '%s that nobody has announced is announced by the next call that knows the older membership',
  async (_what, change, status) => {
    const ann = await profile.signIn()
    await changeMember(ann, change)
    const token = await ann.token()
    expect((await profile.call('GET', '/api/auth/user', { token })).status).toBe(status)
    expect(await announced(ann)).toBe('2')
  },
)

test('an older version never replaces a newer one', async () => {
  const ann = await profile.signIn()
  await redis.set(accessKey(ann.context), '10')
  await changeMember(ann, { role: 'viewer' })
  await ann.get()
  expect(await announced(ann)).toBe('10')
})
