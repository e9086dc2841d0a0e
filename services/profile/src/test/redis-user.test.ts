import { accessKey } from '@parley/contracts/account/profile-internal'
import { createRedisUser } from '@parley/service-kit/testing/redis-user'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type ProfileUnderTest, startProfile } from './start-profile.ts'

let user: Awaited<ReturnType<typeof createRedisUser>>
let redis: Redis
let profile: ProfileUnderTest
beforeAll(async () => {
  user = await createRedisUser(inject('stack').urls.redis, 'profile')
  redis = new Redis(user.url)
  profile = await startProfile({ REDIS_URL: user.url })
})
afterAll(async () => {
  await profile.stop()
  redis.disconnect()
  await user.remove()
})

test('as its own user the service is ready, keeps users and announces members', async () => {
  const ready = await (await fetch(`${profile.url}/readyz`)).json()
  expect(ready).toMatchObject({ status: 'ready', parts: { redis: 'ok' } })
  const ann = await profile.signIn()
  const entry = `profile:user:{${ann.context.userId}}`
  // Every read is a miss without Redis, and no caller notices.
  await expect.poll(async () => (await ann.get()) && user.operator.hexists(entry, 'entry')).toBe(1)
  expect(await user.operator.get(accessKey(ann.context))).toBe('1')
})

test('that user reaches no key of another process', async () => {
  for (const key of ['s:{a}:hot', 'rl:in-ip:1', 'events:{w}', 'queue:messaging-sends:wait'])
    await expect(redis.get(key)).rejects.toThrow(/NOPERM/)
  await expect(redis.call('FLUSHALL')).rejects.toThrow(/NOPERM/)
})
