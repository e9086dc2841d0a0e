import { emptyTestRedis } from '@parley/service-kit/testing/test-redis'
import { Redis } from 'ioredis'
import { beforeAll, expect, inject, test } from 'vitest'
import { createSendLimits } from '../modules/outbound/sending/send-limits.ts'

let redis: Redis
let limits: ReturnType<typeof createSendLimits>
beforeAll(async () => {
  redis = new Redis(await emptyTestRedis(inject('stack').urls.redis))
  limits = createSendLimits(redis)
  return () => redis.disconnect()
})

/** One message in ten seconds: what the test itself takes is no part of it. */
const perSecond = 1 / 9
/** Returns the seconds that a number waits for the next message once it has sent all that it may at once. */
async function intervalOf(numberId: string): Promise<number> {
  await redis.del(`send:{${numberId}}:rate`)
  const one = { wanted: 1, perSecond, bulk: false }
  expect((await limits.acquire(numberId, one)).granted).toBe(1)
  return Math.round((await limits.acquire(numberId, one)).waitMs / 1000)
}
/** Backdates the slowdown by this number of minutes. */
const age = async (numberId: string, minutes: number) => {
  const key = `send:{${numberId}}:slow`
  await redis.hset(key, 'at', Number(await redis.hget(key, 'at')) - minutes * 60_000)
}

test('a number that is too fast sends half as fast, and regains a tenth of its rate a minute', async () => {
  expect(await intervalOf('a')).toBe(10)
  await limits.slow('a', 1)
  expect(await intervalOf('a')).toBe(20)
  // A message that was already on its way reports the same again.
  await limits.slow('a', 1)
  expect(await intervalOf('a')).toBe(20)
  await age('a', 1)
  expect(await intervalOf('a')).toBe(17)
  await limits.slow('a', 1)
  expect(await intervalOf('a')).toBe(33)
  await age('a', 7)
  expect(await intervalOf('a')).toBe(10)
  expect(await intervalOf('b')).toBe(10)
})

test('a number that is always too fast still sends, and pauses as long as WhatsApp wants', async () => {
  for (let count = 0; count < 8; count += 1) {
    await limits.slow('c', 1)
    await redis.hset('send:{c}:slow', 'at', Date.now() - 6000)
  }
  expect(await intervalOf('c')).toBeLessThanOrEqual(160)
  await limits.slow('d', 30_000)
  const { granted, waitMs } = await limits.acquire('d', { wanted: 5, perSecond: 80, bulk: true })
  expect(granted).toBe(0)
  expect(waitMs).toBeGreaterThan(20_000)
})
