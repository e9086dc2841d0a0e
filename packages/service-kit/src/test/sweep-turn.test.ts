import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLogger } from '../core/logger.ts'
import { createMetrics } from '../core/metrics.ts'
import { createQueues } from '../queue/queues.ts'
import { createSweepTurn } from '../queue/sweep-turn.ts'
import { noSweep, record, withQueues } from './queue-fixtures.ts'

const { redis, url } = withQueues()
const [lease, busy] = ['queue:{sweeps:replica}:lease', 'queue:{sweeps:replica}:busy'] as const
const patient = { timeout: 20_000 }

/** Starts one of several workers of a name, which sweeps all the time, and not again for minutes while nothing is to be done. */
function startReplica() {
  const logger = createLogger({ name: 'replica', level: 'silent' })
  const metrics = createMetrics('replica')
  const queues = createQueues({ url: url(), service: 'test', logger, metrics, worker: 'replica' })
  let sweeps = 0
  const sweep = async () => {
    sweeps += 1
  }
  queues.sweepEvery(50, sweep, { idleMs: 600_000 })
  const sweepsMore = async () => {
    const before = sweeps
    await wait(500)
    return sweeps > before
  }
  return { ...queues, sweepsMore, [Symbol.asyncDispose]: () => queues.close(1000) }
}

test('of the replicas of a worker one sweeps, and another once that one has stopped', async () => {
  const first = startReplica()
  await expect.poll(() => redis().get(lease), patient).not.toBeNull()
  await using second = startReplica()
  // Until it knows of the other it sweeps as well.
  await expect.poll(second.sweepsMore, patient).toBe(false)
  expect(await first.sweepsMore()).toBe(true)
  await first.close(1000)
  await expect.poll(second.sweepsMore, patient).toBe(true)
})

test('a worker that was killed leaves its sweeps to another', async () => {
  await redis().set(lease, 'one that is gone', 'PX', 6000)
  await using other = startReplica()
  await expect.poll(other.sweepsMore, patient).toBe(false)
  await expect.poll(other.sweepsMore, patient).toBe(true)
  expect(await redis().get(lease)).not.toBe('one that is gone')
})

test('every worker sweeps while Redis does not answer', async () => {
  const turn = createSweepTurn({ eval: () => Promise.reject(new Error('away')) }, 'replica')
  await turn.isKnown
  expect([turn.isOurs(), turn.isBusy()]).toEqual([true, true])
  await turn.close()
})

test('sweeps are seldom while no worker has anything to do, and at their pace again with the first job', async () => {
  await using sweeping = startReplica()
  await expect.poll(() => redis().get(lease), patient).not.toBeNull()
  await using working = startReplica()
  working.workJobs('kind', { ...noSweep, perform: async () => undefined })
  // Its minute without work is over.
  const isStill = async () => {
    await redis().del(busy)
    return sweeping.sweepsMore()
  }
  await expect.poll(isStill, patient).toBe(false)
  await working.jobs('kind').add([record(1)])
  await expect.poll(() => redis().exists(busy), patient).toBe(1)
  await expect.poll(sweeping.sweepsMore, patient).toBe(true)
})
