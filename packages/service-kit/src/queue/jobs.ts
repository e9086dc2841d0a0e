import { Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { createProducer, type QueueTools, stopper, watchWorker, workerOptions } from './queue-tools.ts'
import { defaultSweepMs, sweepEvery } from './sweep.ts'

const attempts = 8
/** Milliseconds for which jobs that failed for good are kept for an operator. */
const deadLetters = { age: 30 * 24 * 3600, count: 10_000 }
const listedDeadLetters = 100

const jobSchema = z.object({ id: z.string(), workspaceId: z.string() })

/** Reference to the record that a job is about: all other data lies in the database. */
export type JobRecord = z.infer<typeof jobSchema>

interface DeadJob extends JobRecord {
  readonly reason: string
  readonly attempts: number
  readonly failedAt: Date
}

/** One job for each record that is to be worked on. */
export interface Jobs {
  /**
   * Queues records; one that is queued already is not queued twice. Call it after the commit. It never fails: what is lost,
   * with all of Redis even, is made good by the sweep of the workers.
   */
  readonly add: (records: readonly JobRecord[]) => Promise<void>
  /** Jobs that failed at every attempt, the newest first, at most 100. */
  readonly dead: () => Promise<DeadJob[]>
  /** Gives a dead job all its attempts again. @returns whether there was such a job. */
  readonly replay: (id: string) => Promise<boolean>
  readonly close: () => Promise<void>
}

export interface JobOptions {
  /**
   * True where a record that is queued while it is worked on is worked on once more, and none is ever dead: it is tried again for as
   * long as it is due.
   */
  readonly keepsWakes?: boolean | undefined
}

/** @param redis a connection of `createProducerConnection`. */
export function createJobs(
  name: string,
  redis: Redis,
  { backoffMs = 1000, keepsWakes = false, ...tools }: QueueTools & JobOptions & { backoffMs?: number },
): Jobs {
  const producer = createProducer(name, redis, tools)

  const entry = (record: JobRecord) => (keepsWakes ? wakeUp(record) : job(record))
  const wakeUp = (record: JobRecord) => ({
    name: 'work',
    data: record,
    opts: {
      deduplication: { id: record.id, keepLastIfActive: true },
      removeOnComplete: true,
      removeOnFail: true,
      // Wake-ups are dropped while a failed one waits.
      attempts: 1000,
      backoff: { type: 'fixed', delay: backoffMs, jitter: 0.5 },
    },
  })
  const job = (record: JobRecord) => ({
    name: 'work',
    data: record,
    opts: {
      jobId: record.id,
      attempts,
      // The last pause is two minutes: it doubles, plus or minus a half.
      backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 },
      removeOnComplete: true,
      removeOnFail: deadLetters,
    },
  })

  return {
    add: (records) => producer.addAll(records.map(entry)),
    dead: async () => {
      const failed = await (await producer.open()).getFailed(0, listedDeadLetters - 1)
      return failed.map(({ data, failedReason, attemptsMade, finishedOn = 0 }) => ({
        ...jobSchema.parse(data),
        reason: failedReason,
        attempts: attemptsMade,
        failedAt: new Date(finishedOn),
      }))
    },
    replay: async (id) => {
      const queue = await producer.open()
      const job = await queue.getJob(id)
      if (!job || !(await job.isFailed())) return false
      const record = jobSchema.parse(job.data)
      // Should this process die in between, the sweep queues the record.
      await job.remove()
      const { name: kind, data, opts } = entry(record)
      await queue.add(kind, data, opts)
      return true
    },
    close: producer.close,
  }
}

export interface JobWork extends JobOptions {
  /**
   * Works on one record. It may run twice, after a kill even at once: what it changes and the mark that it is done are one
   * transaction, or its effect is the same twice.
   * @param again to be called where something is left to do: that gets a job of its own at once, so that the kills of long work
   * are not added up.
   */
  readonly perform: (record: JobRecord, requeue: () => void) => Promise<void>
  /** Finds records that should have a job and are older than a moment. */
  readonly pendingRecords: () => Promise<readonly JobRecord[]>
  readonly concurrency?: number
  readonly sweepMs?: number
}

/** Works on jobs until it is stopped; those in hand are finished then. @param connection of `createWorkerConnection`. */
export function workJobs(name: string, connection: Redis, jobs: Jobs, work: JobWork, tools: QueueTools) {
  const perform = async ({ data }: { data: unknown }): Promise<boolean> => {
    let isMore = false
    await work.perform(jobSchema.parse(data), () => {
      isMore = true
    })
    return isMore
  }
  const worker = new Worker<unknown, boolean>(name, perform, {
    connection,
    ...workerOptions,
    concurrency: work.concurrency ?? 4,
    lockDuration: 10_000,
    stalledInterval: 5000,
    // A record that ends its process each time is dead in the end; a process that is killed is no fault of the record.
    maxStalledCount: attempts,
  })
  const endRest = watchWorker(name, worker, tools)
  worker.on('completed', ({ data }, isMore) => {
    if (isMore) void jobs.add([jobSchema.parse(data)])
  })
  const sweep = async () => jobs.add(await work.pendingRecords())
  const stopSweep = sweepEvery(work.sweepMs ?? defaultSweepMs, sweep, tools.logger)
  return stopper(worker, () => Promise.all([stopSweep(), endRest()]))
}
