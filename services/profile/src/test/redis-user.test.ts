import { accessKey } from '@parley/contracts/account/profile-internal'
import { redisRules } from '@parley/processes/processes'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type ProfileUnderTest, startProfile } from './start-profile.ts'

const { href, host } = new URL(inject('stack').urls.redis)
const user = `test-profile-${process.pid}`
const password = 's3cret-of-the-test'

let operator: Redis
let redis: Redis
let profile: ProfileUnderTest
beforeAll(async () => {
  operator = new Redis(href)
  await operator.call('ACL', 'SETUSER', user, 'on', `>${password}`, ...redisRules('profile'))
  const url = `redis://${user}:${password}@${host}`
  redis = new Redis(url)
  profile = await startProfile({ REDIS_URL: url })
})
afterAll(async () => {
  await profile.stop()
  redis.disconnect()
  await operator.call('ACL', 'DELUSER', user)
  operator.disconnect()
})

test('as its own user the service is ready, keeps users and announces members', async () => {
  const ready = await (await fetch(`${profile.url}/readyz`)).json()
  expect(ready).toMatchObject({ status: 'ready', parts: { redis: 'ok' } })
  const ann = await profile.signIn()
  const entry = `profile:user:{${ann.context.userId}}`
  // Every read is a miss without Redis, and no caller notices.
  await expect.poll(async () => (await ann.get()) && operator.hexists(entry, 'entry')).toBe(1)
  expect(await operator.get(accessKey(ann.context))).toBe('1')
})

test('that user reaches no key of another process', async () => {
  for (const key of ['s:{a}:hot', 'rl:in-ip:1', 'events:{w}', 'queue:messaging-sends:wait'])
    await expect(redis.get(key)).rejects.toThrow(/NOPERM/)
  await expect(redis.call('FLUSHALL')).rejects.toThrow(/NOPERM/)
})
