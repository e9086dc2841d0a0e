import type { Redis } from 'ioredis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSharedWaits } from './shared-waits.ts'

test('a connection that is dead again once it was made anew is given up again', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const answer = Promise.withResolvers<null>()
  const disconnect = vi.fn<(reconnect: boolean) => void>()
  const blocking: Partial<Record<keyof Redis, unknown>> = { bzpopmin: () => answer.promise, disconnect }
  const waits = createSharedWaits({ blocking: blocking as Redis, redis: {} as Redis, prefix: 'queue:test-' })
  const found = waits.wait({ marker: 'm', wait: 'w', delayed: 'd', active: 'a' }, 1)
  await vi.advanceTimersByTimeAsync(9000)
  expect(disconnect).toHaveBeenCalledTimes(2)
  answer.resolve(null)
  expect(await found).toBeNull()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(disconnect).toHaveBeenCalledTimes(2)
})
