import { expect, onTestFinished, test, vi } from 'vitest'
import { paceStalledChecks } from './queue-tools.ts'

test('jobs of dead workers are looked for seldom while nothing is done, and at once when there is work again', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let isBusy = true
  const startStalledCheckTimer = vi.fn(async () => undefined)
  const worker = { opts: { connection: {}, stalledInterval: 2000 }, startStalledCheckTimer }
  const pace = paceStalledChecks(worker, { isBusy: () => isBusy })
  onTestFinished(() => clearInterval(pace))
  vi.advanceTimersByTime(5000)
  expect([worker.opts.stalledInterval, startStalledCheckTimer.mock.calls.length]).toEqual([2000, 0])
  isBusy = false
  vi.advanceTimersByTime(5000)
  expect([worker.opts.stalledInterval, startStalledCheckTimer.mock.calls.length]).toEqual([15_000, 0])
  isBusy = true
  vi.advanceTimersByTime(1000)
  expect([worker.opts.stalledInterval, startStalledCheckTimer.mock.calls.length]).toEqual([2000, 1])
})
