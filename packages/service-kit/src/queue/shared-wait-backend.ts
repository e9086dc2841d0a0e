import { type BackendFactory, QueueKeys, RedisConnection, RedisQueueBackend } from 'bullmq'
import type { Redis } from 'ioredis'
import { queueOptions } from './queue-tools.ts'
import type { SharedWaits } from './shared-waits.ts'

/**
 * Makes BullMQ's workers of a process wait together, and look for jobs of killed workers only while there are active ones. All else
 * is BullMQ's own.
 */
export const sharedWaitBackend =
  (redis: Redis, waits: SharedWaits): BackendFactory<RedisQueueBackend> =>
  (name, options) => {
    const queueKeys = new QueueKeys(queueOptions.prefix)
    const connection = new RedisConnection(redis, { shared: true, blocking: false })
    const toKey = (type: string) => queueKeys.toKey(name, type)
    const keysOf = {
      marker: toKey('marker'),
      wait: toKey('wait'),
      delayed: toKey('delayed'),
      active: toKey('active'),
    }
    waits.add(keysOf)
    return new (class extends RedisQueueBackend {
      override waitForJob(timeoutSeconds: number) {
        return waits.wait(keysOf, timeoutSeconds)
      }
      override async disconnectBlocking() {
        waits.cancel(keysOf.marker)
      }
      override async reconnectBlocking() {}
      override async moveStalledJobsToWait() {
        return (await waits.isAnyActive()) ? super.moveStalledJobsToWait() : []
      }
    })(connection, name, queueKeys.getKeys(name), toKey, options)
  }
