import { Queue } from 'bullmq'
import { expect, test } from 'vitest'
import { laneCount, laneOf } from '../queue/lanes.ts'
import { noSweep, record, withQueues } from './queue-fixtures.ts'

const { close, openQueues, queuesOf, redis } = withQueues()

test('a job runs once for its record, however often it is queued while it waits', async () => {
  const server = await queuesOf()
  await Promise.all(Array.from({ length: 5 }, () => server.jobs('import').add([record(1), record(2)])))
  const done: string[] = []
  const worker = await queuesOf()
  worker.workJobs('import', { ...noSweep, perform: async ({ id }) => void done.push(id) })
  const metrics = () => worker.metrics.registry.metrics()
  // A job that has done its work is in the queue until Redis knows.
  await expect.poll(metrics).toMatch(/queue_jobs_total\{.*result="completed".*\} 2/)
  expect(done.toSorted()).toEqual(['record1', 'record2'])
  await server.jobs('import').add([record(1)])
  await expect.poll(metrics).toMatch(/queue_jobs_total\{.*result="completed".*\} 3/)
  expect(done.toSorted()).toEqual(['record1', 'record1', 'record2'])
})

test('a record that is queued while it is worked on is worked on once more', async () => {
  const options = { keepsWakes: true }
  const server = await queuesOf()
  const queues = await queuesOf()
  let runs = 0
  const go = Promise.withResolvers<void>()
  const perform = async () => {
    runs += 1
    await go.promise
  }
  queues.workJobs('wakes', { ...noSweep, ...options, perform })
  await server.jobs('wakes', options).add([record(1)])
  await expect.poll(() => runs).toBe(1)
  // Two wake-ups for a run under way are one.
  await server.jobs('wakes', options).add([record(1)])
  await server.jobs('wakes', options).add([record(1)])
  go.resolve()
  await expect.poll(() => queues.metrics.registry.metrics()).toMatch(/queue_jobs_total\{.*result="completed".*\} 2/)
  expect(runs).toBe(2)
})

test('work that has more to do gets a job for each part of it', async () => {
  const queues = await queuesOf()
  let parts = 0
  const perform = async (_record: object, requeue: () => void) => {
    parts += 1
    if (parts < 20) requeue()
  }
  queues.workJobs('import', { ...noSweep, perform })
  await queues.jobs('import').add([record(1)])
  await expect.poll(() => queues.metrics.registry.metrics()).toMatch(/queue_jobs_total\{.*result="completed".*\} 20/)
  expect(parts).toBe(20)
})

test('a job that fails is tried again', async () => {
  const queues = await queuesOf()
  let tries = 0
  queues.workJobs('import', {
    ...noSweep,
    perform: async () => {
      tries += 1
      if (tries < 3) throw new Error('not yet')
    },
  })
  await queues.jobs('import').add([record(1)])
  await expect.poll(() => tries).toBe(3)
  expect(await queues.jobs('import').dead()).toEqual([])
})

test('after its last attempt a job is in the dead-letter list, and is replayed from there', async () => {
  const queues = await queuesOf()
  const jobs = queues.jobs('import')
  let broken = true
  const done: string[] = []
  queues.workJobs('import', {
    ...noSweep,
    perform: async ({ id }) => {
      if (broken) throw new Error('the file is broken')
      done.push(id)
    },
  })
  await jobs.add([record(1)])
  // Its pauses add up to minutes: the test shortens each as it comes.
  await expect
    .poll(async () => {
      await hurry('test-import')
      return jobs.dead()
    })
    .toMatchObject([{ ...record(1), reason: 'the file is broken', attempts: 8 }])
  // It is not queued again behind the operator's back.
  await jobs.add([record(1)])
  expect(await jobs.dead()).toHaveLength(1)
  expect(await queues.countDead()).toEqual({ 'test-import': 1 })
  // A command asks as soon as it has started.
  expect(await openQueues().names()).toContain('import')
  broken = false
  expect(await jobs.replay('record9')).toBe(false)
  expect(await jobs.replay('record1')).toBe(true)
  await expect.poll(() => done).toEqual(['record1'])
  expect(await jobs.dead()).toEqual([])
})

test('a dead job is tried again later, but for one that has ended its process each time', async () => {
  const queues = await queuesOf()
  const jobs = queues.jobs('import')
  let broken = true
  const done: string[] = []
  queues.workJobs('import', {
    ...noSweep,
    perform: async ({ id }) => {
      if (broken) throw new Error(id === 'record2' ? 'job stalled more than allowable limit' : 'the store is away')
      done.push(id)
    },
  })
  await jobs.add([record(1), record(2)])
  await expect
    .poll(async () => {
      await hurry('test-import')
      return jobs.countDead()
    })
    .toBe(2)
  broken = false
  await jobs.revive(new Date(Date.now() - 60_000))
  expect(await jobs.countDead()).toBe(2)
  await jobs.revive(new Date(Date.now() + 1000))
  await expect.poll(() => done).toEqual(['record1'])
  expect(await jobs.dead()).toMatchObject([{ id: 'record2' }])
})

test('a wake-up that comes while its lane is drained is not lost', async () => {
  const queues = await queuesOf()
  let work = 1
  let release = () => {}
  let drains = 0
  queues.workLanes('drain', {
    ...noSweep,
    drain: async () => {
      drains += 1
      work = 0
      // Work that arrives now comes after this batch was read.
      if (drains === 1) await new Promise<void>((resolve) => (release = resolve))
      return false
    },
  })
  const lanes = queues.lanes('drain')
  await lanes.wake([5])
  await expect.poll(() => drains).toBe(1)
  work = 1
  await Promise.all([lanes.wake([5]), lanes.wake([5]), lanes.wake([5])])
  release()
  await expect.poll(() => work).toBe(0)
  expect(drains).toBe(2)
})

test('a lane with work without end lets the others have their turn', async () => {
  const queues = await queuesOf()
  const seen = new Set<number>()
  queues.workLanes('drain', {
    ...noSweep,
    concurrency: 1,
    drain: async (lane) => {
      seen.add(lane)
      await new Promise((resolve) => setTimeout(resolve, 5))
      return lane === 1
    },
  })
  await queues.lanes('drain').wake([1])
  await expect.poll(() => seen.size).toBe(1)
  await queues.lanes('drain').wake([2, 3])
  await expect.poll(() => [...seen].toSorted()).toEqual([1, 2, 3])
})

test('a worker that stops finishes its batch and begins no other', async () => {
  const queues = await queuesOf()
  const batches: string[] = []
  let release = () => {}
  queues.workLanes('drain', {
    ...noSweep,
    drain: async () => {
      batches.push('begun')
      await new Promise<void>((resolve) => (release = resolve))
      batches.push('done')
      return true
    },
  })
  await queues.lanes('drain').wake([1])
  await expect.poll(() => batches).toEqual(['begun'])
  const closed = close(queues, 20_000)
  release()
  await closed
  expect(batches).toEqual(['begun', 'done'])
})

test('a batch that does not end is left when the time is up', async () => {
  const queues = await queuesOf()
  let begun = false
  queues.workLanes('drain', {
    ...noSweep,
    drain: () => {
      begun = true
      return new Promise(() => {})
    },
  })
  await queues.lanes('drain').wake([1])
  await expect.poll(() => begun).toBe(true)
  // It resolves at all.
  await close(queues, 100)
})

test('a key always has the same lane, and keys spread over all of them', () => {
  const keys = Array.from({ length: 2000 }, (_, index) => `conversation${index}`)
  expect(keys.map(laneOf)).toEqual(keys.map(laneOf))
  expect(new Set(keys.map(laneOf)).size).toBe(laneCount)
})

/** Makes delayed jobs due. */
async function hurry(name: string): Promise<void> {
  const queue = new Queue(name, { connection: redis(), prefix: 'queue' })
  await queue.promoteJobs()
  await queue.close()
}
