import { once } from 'node:events'
import { Queue, type Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { errors } from '../core/errors.ts'
import type { Logger } from '../core/logger.ts'

/** All queues of BullMQ lie under this prefix. */
const queueOptions = { prefix: 'queue' } as const

/** By default a worker that met a lost connection rests for 15 s. */
export const workerOptions = { ...queueOptions, runRetryDelay: 1000 } as const

export interface QueueTools {
  readonly logger: Logger
  /** Counts what workers did. */
  readonly count?: (queue: string, result: 'completed' | 'failed', jobs?: number) => void
}

/**
 * A queue to add to. BullMQ waits for a connection that is not there, and a queue whose first command failed fails for ever: it
 * is used while the connection stands only, and opened anew after such a failure.
 */
export function createProducer(name: string, redis: Redis, { logger }: QueueTools) {
  let queue: Queue | undefined

  /** @throws `service_unavailable` while there is no connection. */
  async function open(): Promise<Queue> {
    if (redis.status !== 'ready') throw errors.serviceUnavailable('the queue cannot be reached')
    if (!queue) {
      queue = new Queue(name, { connection: redis, ...queueOptions })
      queue.on('error', (error) => logger.debug({ err: error, queue: name }, 'queue'))
    }
    try {
      await queue.waitUntilReady()
      return queue
    } catch (error) {
      queue = undefined
      throw error
    }
  }

  /** Never fails: what is not queued now is found by the sweep of the workers. */
  async function addAll(jobs: Parameters<Queue['addBulk']>[0]): Promise<void> {
    if (jobs.length === 0) return
    await open()
      .then((opened) => opened.addBulk(jobs))
      .catch((error: unknown) =>
        logger.warn({ err: error, queue: name }, 'work could not be queued; a sweep will find it'),
      )
  }
  return { open, addAll, close: async () => queue?.close() }
}

/** A worker without an `error` listener ends its process; after Redis was emptied it tells of each job that it misses. */
export function watchWorker(queue: string, worker: Worker, { logger, count }: QueueTools): void {
  // Both are told from the start, so that the first one is already a rise.
  for (const result of ['completed', 'failed'] as const) count?.(queue, result, 0)
  worker.on('error', (error) => logger.warn({ err: error, queue }, 'a worker met an error of its queue'))
  worker.on('completed', () => count?.(queue, 'completed'))
  worker.on('failed', (job, error) => {
    count?.(queue, 'failed')
    logger.warn({ err: error, queue, job: job?.id, attempt: job?.attemptsMade }, 'a job failed')
  })
}

/**
 * What stops a worker: nothing new is taken, what is in hand is finished. After `withinMs` it is left; another worker takes it
 * over when its lock has ended.
 */
export const stopper =
  (worker: Worker, before: () => Promise<void>) =>
  async (withinMs: number): Promise<void> => {
    const late = AbortSignal.timeout(withinMs)
    const finished = before().then(() => worker.pause())
    await Promise.race([finished, once(late, 'abort')])
    await worker.close(late.aborted)
  }
