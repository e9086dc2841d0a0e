import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createLogger } from '../core/logger.ts'
import { createMetrics } from '../core/metrics.ts'
import { createQueues, type Queues } from '../queue/queues.ts'
import { createSweepTurn } from '../queue/sweep-turn.ts'
import { noSweep, record, withQueues } from './queue-fixtures.ts'

const { redis, url } = withQueues()
const open: Queues[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((queues) => queues.close(1000)))
})
const [lease, busy] = ['queue:replica:{sweeps}:lease', 'queue:replica:{sweeps}:busy'] as const
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
  open.push(queues)
  return { ...queues, sweepsMore }
}

test('of the replicas of a worker one sweeps, and another once that one has stopped', async () => {
  const first = startReplica()
  await expect.poll(() => redis().get(lease), patient).not.toBeNull()
  const second = startReplica()
  // Until it knows of the other it sweeps as well.
  await expect.poll(second.sweepsMore, patient).toBe(false)
  expect(await first.sweepsMore()).toBe(true)
  await open.shift()?.close(1000)
  await expect.poll(second.sweepsMore, patient).toBe(true)
})

test('a worker that was killed leaves its sweeps to another', async () => {
  await redis().set(lease, 'one that is gone', 'PX', 6000)
  const other = startReplica()
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
  const sweeping = startReplica()
  await expect.poll(() => redis().get(lease), patient).not.toBeNull()
  const working = startReplica()
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
