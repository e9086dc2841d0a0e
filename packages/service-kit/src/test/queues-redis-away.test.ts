import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { createLogger } from '../core/logger.ts'
import { openBreakableLink } from '../testing/breakable-link.ts'
import { noSweep, record, withQueues, workspaceId } from './queue-fixtures.ts'

const { close, queuesOf, redis, url } = withQueues()

test('Redis emptied with jobs and lanes in it: the sweep finds them all again', async () => {
  const server = await queuesOf()
  const waiting = new Set(Array.from({ length: 30 }, (_, index) => `record${index}`))
  const lanes = new Set([3, 17, 42])
  await server.jobs('import').add([...waiting].map((id) => ({ id, workspaceId })))
  await server.lanes('drain').wake(lanes)
  expect((await redis().keys('queue:*')).length).toBeGreaterThan(0)
  await redis().flushdb()
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

test('while Redis is away a server neither waits nor fails; workers go on when it is back', async () => {
  const link = await openBreakableLink(url())
  const address = Object.assign(new URL(url()), { hostname: '127.0.0.1', port: String(link.port) }).href
  const queues = await queuesOf(address)
  try {
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
    await close(queues, 1000)
    await link.close()
  }
})

/** Creates a user of Redis who may not write for a while: as a full or a read-only server refuses, but only for this user. */
async function refusableUrl() {
  const admin = new Redis(url())
  const user = `queues-${process.pid}`
  await admin.acl('SETUSER', user, 'reset', 'on', '>secret', 'allkeys', 'allchannels', '+@all')
  onTestFinished(async () => {
    await admin.acl('DELUSER', user)
    admin.disconnect()
  })
  return {
    address: Object.assign(new URL(url()), { username: user, password: 'secret' }).href,
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
  const closed = close(queues, 20_000)
  setImmediate(release)
  await closed
  expect(batches).toEqual(['begun', 'done'])
})
