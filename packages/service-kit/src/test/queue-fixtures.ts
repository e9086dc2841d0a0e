import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, inject } from 'vitest'
import { createLogger } from '../core/logger.ts'
import { createMetrics } from '../core/metrics.ts'
import type { JobRecord } from '../queue/jobs.ts'
import { createQueues, type Queues } from '../queue/queues.ts'
import { emptyTestRedis } from '../testing/test-redis.ts'

const silent = createLogger({ name: 'queues', level: 'silent' })
export const workspaceId = 'a'.repeat(24)
export const record = (number: number): JobRecord => ({ id: `record${number}`, workspaceId })

/** Finds nothing by a sweep. */
export const noSweep = { pendingRecords: async () => [], pendingLanes: async () => [] }

/** Gives each test of a file an empty Redis, and closes the queues that it has opened there. */
export function withQueues() {
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

  function openQueues(address = url, logger = silent) {
    const metrics = createMetrics('queues')
    const queues = createQueues({ url: address, service: 'test', logger, metrics })
    open.push(queues)
    return Object.assign(queues, { metrics })
  }

  return {
    url: () => url,
    redis: () => redis,
    openQueues,
    /** Opens queues and waits until they reach Redis. */
    async queuesOf(address = url, logger = silent) {
      const queues = openQueues(address, logger)
      await expect.poll(queues.isReachable).toBe(true)
      return queues
    },
    /** Closes these queues now, and not again after the test. @param ms time that running work gets. */
    close(queues: Queues, ms: number): Promise<void> {
      open = open.filter((one) => one !== queues)
      return queues.close(ms)
    },
  }
}
