import { type Job, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { createProducer, type QueueTools, stopper, watchWorker, workerOptions } from './queue-tools.ts'
import { createRest } from './rest.ts'
import { defaultSweepMs, sweepEvery } from './sweep.ts'

const attempts = 8
/** Retention of jobs that failed at every attempt; `age` in seconds. */
const deadLetters = { age: 30 * 24 * 3600, count: 10_000 }
const listedDeadLetters = 100
/** Milliseconds after which a dead job gets its attempts anew: longer than most outages, and few runs for one that always fails. */
const revivePauseMs = 10 * 60_000
const reviveEveryMs = 60_000

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
  readonly countDead: () => Promise<number>
  /** Gives a dead job all its attempts anew. @returns whether there was such a job. */
  readonly replay: (id: string) => Promise<boolean>
  /**
   * Gives the jobs that died before a moment all their attempts anew, 100 at a time: an outage that outlasts the attempts leaves nothing
   * behind. One that has ended its process each time waits for an operator.
   */
  readonly revive: (diedBefore: Date) => Promise<void>
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

  async function replay(job: Job): Promise<void> {
    const record = jobSchema.parse(job.data)
    // Should this process die in between, the sweep queues the record.
    await job.remove()
    const { name: kind, data, opts } = entry(record)
    await (await producer.open()).add(kind, data, opts)
  }

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
    countDead: async () => (await producer.open()).getFailedCount(),
    replay: async (id) => {
      const job = await (await producer.open()).getJob(id)
      if (!job || !(await job.isFailed())) return false
      await replay(job)
      return true
    },
    revive: async (diedBefore) => {
      // The oldest first: those that are left out never hide the others.
      const failed = await (await producer.open()).getJobs(['failed'], 0, listedDeadLetters - 1, true)
      for (const job of failed)
        if (Number(job.finishedOn) < diedBefore.getTime() && !hasEndedItsProcess(job)) await replay(job)
    },
    close: producer.close,
  }
}

/** BullMQ's own reason for a job whose worker went away with it more often than it may. */
const hasEndedItsProcess = ({ failedReason }: Pick<Job, 'failedReason'>): boolean => /stalled/.test(failedReason)

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
  /** Pause of the sweep while nothing is done, in milliseconds; by default 15 s. */
  readonly idleMs?: number
}

/** Works on jobs until it is stopped; those in hand are finished then. @param connection of `createWorkerConnection`. */
export function workJobs(name: string, connection: Redis, jobs: Jobs, work: JobWork, tools: QueueTools) {
  const { rest = createRest() } = tools
  const perform = async ({ data }: { data: unknown }): Promise<boolean> => {
    let isMore = false
    const record = jobSchema.parse(data)
    await rest.runOf(record.workspaceId, () =>
      work.perform(record, () => {
        isMore = true
      }),
    )
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
  let revivedAt = 0
  const sweep = async () => {
    await jobs.add((await rest.whenAwake(() => work.pendingRecords())) ?? [])
    const now = Date.now()
    if (now - revivedAt < reviveEveryMs) return
    await jobs.revive(new Date(now - revivePauseMs))
    revivedAt = now
  }
  const { turn } = tools
  const stopSweep = sweepEvery(work.sweepMs ?? defaultSweepMs, sweep, tools.logger, { turn, idleMs: work.idleMs })
  return stopper(worker, () => Promise.all([stopSweep(), endRest()]))
}
