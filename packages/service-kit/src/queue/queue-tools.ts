import { once } from 'node:events'
import { Queue, type Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { errors } from '../core/errors.ts'
import type { Logger } from '../core/logger.ts'
import type { Rest } from './rest.ts'
import type { SweepTurn } from './sweep-turn.ts'

/** All queues of BullMQ lie under this prefix. */
const queueOptions = { prefix: 'queue' } as const

/** A worker that met a lost connection rests for 15 s by default; one that waits looks again after 5 s, which each queue of each worker pays. */
export const workerOptions = { ...queueOptions, runRetryDelay: 1000, drainDelay: 10 } as const

export interface QueueTools {
  readonly logger: Logger
  /** Counts what workers did. */
  readonly count?: (queue: string, result: 'completed' | 'failed', jobs?: number) => void
  /** Lets work wait while a workspace moves. */
  readonly rest?: Pick<Rest, 'run' | 'runOf' | 'whenAwake'>
  /** Decides which process sweeps; absent where each does. */
  readonly turn?: SweepTurn | undefined
  /** Counts what Redis refused to workers. */
  readonly countErrors?: (queue: string, errors: number) => void
}

/**
 * A queue to add to. BullMQ waits for a connection that is not there, and a queue whose first command failed fails for ever: it
 * is used while the connection stands only, and opened again after such a failure.
 */
export function createProducer(name: string, redis: Redis, { logger }: QueueTools) {
  let queue: Queue | undefined
  const failures = createRepeatLog(logger, { queue: name }, 'work could not be queued; a sweep will find it')

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

  /** Adds to the queue and never fails: an entry that is lost is found by the sweep of the workers. */
  async function addAll(jobs: Parameters<Queue['addBulk']>[0]): Promise<void> {
    if (jobs.length === 0) return
    await open()
      .then((opened) => opened.addBulk(jobs))
      .catch(failures.note)
  }
  const close = async () => {
    failures.close()
    await queue?.close()
  }
  return { open, addAll, close }
}

/** Pauses of a worker whose Redis is full or read-only: it refuses at once, and would be asked 8,000 times a second. */
const minRestMs = 500
const maxRestMs = 5000

/**
 * Watches a worker, and lets it rest after each error of its queue, for longer while they continue: `runRetryDelay` is for lost
 * connections alone. Jobs in hand continue meanwhile. @returns what ends the rest, and rests no more.
 */
export function watchWorker(
  queue: string,
  worker: Worker,
  { logger, count, countErrors, turn }: QueueTools,
): () => Promise<void> {
  // All labels are exported from the start, so that the first event is already a rise.
  for (const result of ['completed', 'failed'] as const) count?.(queue, result, 0)
  countErrors?.(queue, 0)
  const errorLog = createRepeatLog(logger, { queue }, 'a worker met an error of its queue')
  let restMs = minRestMs
  let restedAt = Number.NEGATIVE_INFINITY
  let resting: NodeJS.Timeout | undefined
  let isEnded = false

  function rest(): void {
    if (resting || isEnded) return
    const now = performance.now()
    restMs = now - restedAt > 2 * maxRestMs ? minRestMs : Math.min(2 * restMs, maxRestMs)
    void worker.pause(true)
    resting = setTimeout(resume, restMs)
  }
  async function resume(): Promise<void> {
    clearTimeout(resting)
    resting = undefined
    restedAt = performance.now()
    await worker.resume()
  }

  // A worker that has no `error` listener ends its process; after Redis was emptied it reports each job that it misses.
  worker.on('error', (error) => {
    countErrors?.(queue, 1)
    errorLog.note(error)
    rest()
  })
  worker.on('active', () => turn?.noteWork())
  const pace = turn && paceStalledChecks(worker, turn)
  worker.on('completed', () => count?.(queue, 'completed'))
  worker.on('failed', (job, error) => {
    count?.(queue, 'failed')
    logger.warn({ err: error, queue, job: job?.id, attempt: job?.attemptsMade }, 'a job failed')
  })
  return async () => {
    isEnded = true
    clearInterval(pace)
    errorLog.close()
    // A resting worker would be stopped without waiting for the jobs in hand.
    if (resting) await resume()
  }
}

/** Milliseconds between two looks for jobs of dead workers while no process of the name has had work for a minute. */
const idleStalledMs = 15_000

/** Has a worker look for jobs of dead workers seldom while there is none that could have died. */
export function paceStalledChecks(
  worker: Pick<Worker, 'opts' | 'startStalledCheckTimer'>,
  turn: Pick<SweepTurn, 'isBusy'>,
): NodeJS.Timeout {
  const { opts } = worker
  const busyMs = opts.stalledInterval ?? idleStalledMs
  return setInterval(() => {
    const wantedMs = turn.isBusy() ? busyMs : Math.max(busyMs, idleStalledMs)
    if (opts.stalledInterval === wantedMs) return
    opts.stalledInterval = wantedMs
    // BullMQ reads the interval before each pause: the one that it is in was the longer one.
    if (wantedMs === busyMs) void worker.startStalledCheckTimer()
  }, 1000)
}

/**
 * Returns a function that stops a worker: nothing new is taken, work in hand is finished. After `withinMs` it is abandoned;
 * another worker takes it over when its lock has expired.
 */
export const stopper =
  (worker: Worker, before: () => Promise<unknown>) =>
  async (withinMs: number): Promise<void> => {
    const late = AbortSignal.timeout(withinMs)
    const finished = before().then(() => worker.pause())
    await Promise.race([finished, once(late, 'abort')])
    await worker.close(late.aborted)
  }

const countedEveryMs = 60_000

/**
 * Logs an error that may repeat at any rate: the first at once, then once a minute how many more there were, with the last of
 * them, and when a minute had none.
 */
export function createRepeatLog(logger: Logger, fields: object, message: string) {
  let errors = 0
  let last: unknown
  let counting: NodeJS.Timeout | undefined

  function tellCount(): void {
    if (errors > 0) logger.warn({ err: last, ...fields, errors }, `${message}: counted over a minute`)
    else {
      logger.info(fields, `${message}: not in the last minute`)
      close()
    }
    errors = 0
  }
  function note(error: unknown): void {
    last = error
    if (counting) errors += 1
    else {
      logger.warn({ err: error, ...fields }, message)
      counting = setInterval(tellCount, countedEveryMs).unref()
    }
  }
  function close(): void {
    clearInterval(counting)
    counting = undefined
  }
  return { note, close }
}
