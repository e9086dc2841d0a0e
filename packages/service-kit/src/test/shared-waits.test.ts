import { Redis } from 'ioredis'
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { createLogger } from '../core/logger.ts'
import { createMetrics } from '../core/metrics.ts'
import { createQueues } from '../queue/queues.ts'
import { createSharedWaits } from '../queue/shared-waits.ts'
import { emptyTestRedis } from '../testing/test-redis.ts'

const logger = createLogger({ name: 'waits', level: 'silent' })
const prefix = 'queue:test-'

let url: string
let admin: Redis
beforeEach(async () => {
  url = await emptyTestRedis(inject('stack').urls.redis)
  admin = openRedis()
})

function openRedis(): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: null })
  onTestFinished(() => redis.disconnect())
  return redis
}

const openWaits = () => createSharedWaits({ blocking: openRedis(), redis: openRedis(), prefix })

function keysOf(name: string) {
  const key = (type: string) => `${prefix}${name}:${type}`
  return { marker: key('marker'), wait: key('wait'), delayed: key('delayed'), active: key('active') }
}
const [first, second] = [keysOf('first'), keysOf('second')]

test('a wait that is added while others wait is answered at once', async () => {
  const waits = openWaits()
  const other = waits.wait(first, 300)
  const own = waits.wait(second, 300)
  await admin.zadd(second.marker, 0, '0')
  expect(await own).toEqual({ member: '0', score: 0 })
  await admin.zadd(first.marker, 1234, '1')
  expect(await other).toEqual({ member: '1', score: 1234 })
})

test('a wait without a job ends at its time', async () => {
  const waits = openWaits()
  const long = waits.wait(first, 300)
  expect(await waits.wait(second, 0.05)).toBeNull()
  waits.cancel(first.marker)
  expect(await long).toBeNull()
})

test('a sign that comes for a queue which waits no more is left to other processes', async () => {
  const waits = openWaits()
  const cancelled = waits.wait(first, 300)
  const kept = waits.wait(second, 300)
  waits.cancel(first.marker)
  await cancelled
  await admin.zadd(first.marker, 0, '0')
  const elsewhere = openWaits()
  expect(await elsewhere.wait(first, 300)).toEqual({ member: '0', score: 0 })
  waits.cancel(second.marker)
  await kept
})

test('a job whose sign was taken by a process that died is found', async () => {
  const waits = openWaits()
  await admin.rpush(first.wait, 'job')
  const found = waits.wait(first, 300)
  const idle = waits.wait(second, 300)
  expect(await found).toBeNull()
  waits.cancel(second.marker)
  await idle
})

test('however many queues a worker has, it holds three connections and asks Redis a few times a second', async () => {
  const queues = createQueues({ url, service: 'test', logger, metrics: createMetrics('waits') })
  onTestFinished(() => queues.close(1000))
  for (let number = 0; number < 20; number++) {
    queues.workJobs(`jobs-${number}`, { pendingRecords: async () => [], perform: async () => undefined })
    queues.workLanes(`lanes-${number}`, { pendingLanes: async () => [], drain: async () => false })
  }
  const blocked = async () => Number(/blocked_clients:(\d+)/.exec(await admin.info('clients'))?.[1])
  await expect.poll(blocked).toBeGreaterThan(0)
  const database = new URL(url).pathname.slice(1)
  const clients = String(await admin.client('LIST')).split('\n')
  const own = clients.filter((line) => line.includes(` db=${database} `) && / name=test-/.test(line))
  expect(own).toHaveLength(3)
})
