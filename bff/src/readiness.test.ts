import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createReadiness } from './readiness.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})
const aWhile = () => vi.advanceTimersByTime(1001)

const switchable = () => {
  const up = { redis: true, profile: false }
  const redis = vi.fn(async () => up.redis)
  const readiness = createReadiness({ redis, profile: async () => up.profile }, ['redis'])
  return { up, redis, readiness }
}

test('it is not ready before every part has answered once', async () => {
  const { up, readiness } = switchable()
  expect((await readiness.check()).ready).toBe(false)
  up.profile = true
  aWhile()
  expect((await readiness.check()).ready).toBe(true)
})

test('later the absence of a service is said and does not count, that of an essential part does', async () => {
  const { up, readiness } = switchable()
  up.profile = true
  await readiness.check()
  up.profile = false
  aWhile()
  expect(await readiness.check()).toEqual({ ready: true, parts: { redis: { ok: true }, profile: { ok: false } } })
  up.redis = false
  aWhile()
  expect((await readiness.check()).ready).toBe(false)
})

test('a draining process is not ready', async () => {
  const { up, readiness } = switchable()
  up.profile = true
  expect((await readiness.check()).ready).toBe(true)
  readiness.drain()
  expect((await readiness.check()).ready).toBe(false)
})

test('a healthy result is reused for a second', async () => {
  const { up, redis, readiness } = switchable()
  up.profile = true
  await readiness.check()
  expect((await readiness.check()).ready).toBe(true)
  expect(redis).toHaveBeenCalledTimes(1)
  aWhile()
  await readiness.check()
  expect(redis).toHaveBeenCalledTimes(2)
})

test('an unhealthy result is reused for a quarter of a second: nobody makes it ask faster', async () => {
  const { up, redis, readiness } = switchable()
  up.profile = true
  up.redis = false
  for (let count = 0; count < 20; count += 1) expect((await readiness.check()).ready).toBe(false)
  expect(redis).toHaveBeenCalledTimes(1)
  up.redis = true
  vi.advanceTimersByTime(251)
  expect((await readiness.check()).ready).toBe(true)
})

test('whoever asks meanwhile shares the answer', async () => {
  const { redis, readiness } = switchable()
  await Promise.all(Array.from({ length: 50 }, () => readiness.check()))
  expect(redis).toHaveBeenCalledTimes(1)
})
