import { expect, test } from 'vitest'
import { createReadiness } from './readiness.ts'

const switchable = () => {
  const up = { redis: true, profile: false }
  const readiness = createReadiness({ redis: async () => up.redis, profile: async () => up.profile }, ['redis'])
  return { up, readiness }
}

test('it is not ready before every part has answered once', async () => {
  const { up, readiness } = switchable()
  expect((await readiness.check()).ready).toBe(false)
  up.profile = true
  expect((await readiness.check()).ready).toBe(true)
})

test('later the absence of a service is said and does not count, that of an essential part does', async () => {
  const { up, readiness } = switchable()
  up.profile = true
  await readiness.check()
  up.profile = false
  expect(await readiness.check()).toEqual({ ready: true, parts: { redis: { ok: true }, profile: { ok: false } } })
  up.redis = false
  expect((await readiness.check()).ready).toBe(false)
})

test('a draining process is not ready', async () => {
  const { up, readiness } = switchable()
  up.profile = true
  readiness.drain()
  expect((await readiness.check()).ready).toBe(false)
})
