import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { createLogger } from '../core/logger.ts'
import { createMetrics } from '../core/metrics.ts'
import type { JobRecord } from '../queue/jobs.ts'
import { laneCount, laneOf } from '../queue/lanes.ts'
import { createQueues, type Queues } from '../queue/queues.ts'
import { openBreakableLink } from '../testing/breakable-link.ts'
import { emptyTestRedis } from '../testing/test-redis.ts'

const logger = createLogger({ name: 'queues', level: 'silent' })
const workspaceId = 'a'.repeat(24)
const record = (number: number): JobRecord => ({ id: `record${number}`, workspaceId })

let url: string
let redis: Redis
let open: Queues[]
beforeEach(async () => {
  url = await emptyTestRedis(inject('stack').urls.redis)
  redis = new Redis(url)
  open = []
})
afterEach(async () => {
  await Promise.all(open.map((queues) => queues.close(5000)))
  redis.disconnect()
})

async function queuesOf(address = url, log = logger) {
  const metrics = createMetrics('queues')
  const queues = createQueues({ url: address, service: 'test', logger: log, metrics })
  open.push(queues)
  await expect.poll(queues.isReachable).toBe(true)
  return Object.assign(queues, { metrics })
}

/** Nothing is found by a sweep. */
const noSweep = { pendingRecords: async () => [], pendingLanes: async () => [] }

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
  const command = createQueues({ url, service: 'test', logger, metrics: createMetrics('command') })
  open.push(command)
  expect(await command.names()).toContain('import')
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

test('Redis emptied with jobs and lanes in it: the sweep finds them all again', async () => {
  const server = await queuesOf()
  const waiting = new Set(Array.from({ length: 30 }, (_, index) => `record${index}`))
  const lanes = new Set([3, 17, 42])
  await server.jobs('import').add([...waiting].map((id) => ({ id, workspaceId })))
  await server.lanes('drain').wake(lanes)
  expect((await redis.keys('queue:*')).length).toBeGreaterThan(0)
  await redis.flushdb()
  const worker = await queuesOf()
  worker.workJobs('import', {
    perform: async ({ id }) => void waiting.delete(id),
    pendingRecords: async () => [...waiting].map((id) => ({ id, workspaceId })),
    sweepMs: 50,
  })
  worker.workLanes('drain', {
    drain: async (lane) => void lanes.delete(lane) as unknown as boolean,
    pendingLanes: async () => [...lanes],
    sweepMs: 50,
  })
  await expect.poll(() => [waiting.size, lanes.size]).toEqual([0, 0])
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
  const closed = queues.close(20_000)
  open = open.filter((one) => one !== queues)
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
  open = open.filter((one) => one !== queues)
  // It resolves at all.
  await queues.close(100)
})

test('while Redis is away a server neither waits nor fails; workers go on when it is back', async () => {
  const link = await openBreakableLink(url)
  try {
    const address = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(link.port) }).href
    const queues = await queuesOf(address)
    const waiting = new Set<string>()
    queues.workJobs('import', {
      perform: async ({ id }) => void waiting.delete(id),
      pendingRecords: async () => [...waiting].map((id) => ({ id, workspaceId })),
      sweepMs: 50,
    })
    link.cut()
    await expect.poll(queues.isReachable).toBe(false)
    waiting.add('record1')
    await queues.jobs('import').add([record(1)])
    await queues.lanes('drain').wake([1])
    expect(waiting.size).toBe(1)
    link.mend()
    await expect.poll(() => waiting.size).toBe(0)
  } finally {
    await Promise.all(open.splice(0).map((queues) => queues.close(1000)))
    await link.close()
  }
})

/** Creates a user of Redis who may not write for a while: as a full or a read-only server refuses, but only for this user. */
async function refusableUrl() {
  const admin = new Redis(url)
  const user = `queues-${process.pid}`
  await admin.acl('SETUSER', user, 'reset', 'on', '>secret', 'allkeys', 'allchannels', '+@all')
  onTestFinished(async () => {
    await admin.acl('DELUSER', user)
    admin.disconnect()
  })
  return {
    address: Object.assign(new URL(url), { username: user, password: 'secret' }).href,
    refuseWrites: () => admin.acl('SETUSER', user, '-@write'),
    allowWrites: () => admin.acl('SETUSER', user, '+@all'),
  }
}

test('a Redis that refuses writes is asked again with pauses and told of once; workers go on when it takes them again', async () => {
  const { address, refuseWrites, allowWrites } = await refusableUrl()
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const queues = await queuesOf(address, createLogger({ name: 'queues', level: 'info', destination }))
  const drained: number[] = []
  let release = () => {}
  queues.workLanes('drain', {
    ...noSweep,
    concurrency: 1,
    drain: async (lane) => {
      if (drained.push(lane) === 1) await new Promise<void>((resolve) => (release = resolve))
      return false
    },
  })
  await queues.lanes('drain').wake([1])
  await expect.poll(() => drained).toEqual([1])
  await queues.lanes('drain').wake([2])
  await refuseWrites()
  release()
  const refused = async () => {
    const [, count] = /queue_errors_total\{.*\} (\d+)/.exec(await queues.metrics.registry.metrics()) ?? []
    return Number(count)
  }
  await expect.poll(refused).toBeGreaterThan(4)
  // Asked again at once it would be thousands by now.
  expect(await refused()).toBeLessThan(50)
  for (let count = 0; count < 20; count += 1) await queues.lanes('drain').wake([3])
  expect(lines.filter((line) => line.includes('a worker met an error'))).toHaveLength(1)
  expect(lines.filter((line) => line.includes('work could not be queued'))).toHaveLength(1)
  await allowWrites()
  await expect.poll(() => drained).toContain(2)
})

test('a worker that rests after such an error still finishes its batch when it is stopped', async () => {
  const { address, refuseWrites } = await refusableUrl()
  const queues = await queuesOf(address)
  const batches: string[] = []
  let release = () => {}
  queues.workLanes('drain', {
    ...noSweep,
    drain: async () => {
      batches.push('begun')
      await new Promise<void>((resolve) => (release = resolve))
      batches.push('done')
      return false
    },
  })
  await queues.lanes('drain').wake([1])
  await expect.poll(() => batches).toEqual(['begun'])
  await refuseWrites()
  await expect.poll(() => queues.metrics.registry.metrics()).toMatch(/queue_errors_total\{.*\} [1-9]/)
  open = open.filter((one) => one !== queues)
  const closed = queues.close(20_000)
  setImmediate(release)
  await closed
  expect(batches).toEqual(['begun', 'done'])
})

test('a key always has the same lane, and keys spread over all of them', () => {
  const keys = Array.from({ length: 2000 }, (_, index) => `conversation${index}`)
  expect(keys.map(laneOf)).toEqual(keys.map(laneOf))
  expect(new Set(keys.map(laneOf)).size).toBe(laneCount)
})

/** Makes delayed jobs due. */
async function hurry(name: string): Promise<void> {
  const queue = new Queue(name, { connection: redis, prefix: 'queue' })
  await queue.promoteJobs()
  await queue.close()
}
