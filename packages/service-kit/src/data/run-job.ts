import { randomUUID } from 'node:crypto'
import type { Job } from '@parley/contracts/platform/jobs'
import { insertEntry } from './audit-log.ts'
import { type JobRecord, toJob } from './job-record.ts'
import { type JobRecords, type JobReference, keptMs } from './job-records.ts'
import { inTransaction, type Tx } from './transaction.ts'

/** Result of one step. Steps are small: progress, cancelling and resuming happen between them. */
export interface JobStep {
  /** Position where the next step begins. */
  readonly checkpoint: unknown
  /** Items that this step has finished. */
  readonly done?: number
  readonly failed?: number
  /** Total, where it becomes known in this step only. */
  readonly total?: number
  /** Result of the job, which ends it. */
  readonly result?: Record<string, unknown>
  /** Writes of this step: in one transaction with the checkpoint, so that they take effect exactly once. */
  readonly write?: (tx: Tx) => Promise<void>
  /** Takes back what the step has left outside this database, where it is not stored: the job was cancelled, or another worker has it. */
  readonly discard?: () => Promise<unknown>
  /** Removes what the step has replaced outside this database, once it is stored. */
  readonly afterwards?: () => Promise<unknown>
}

const maxAttempts = 8
const usualLeaseMs = 30_000
/** Milliseconds until the next attempt: a second after the first one, doubled each time, two minutes at most. */
const pauseMs = (attempts: number): number => Math.min(1000 * 2 ** (attempts - 1), 120_000)
const maxErrorLength = 500

/**
 * Works on a job from its last checkpoint until it has a result. After a worker is killed, another takes over once the lease has
 * expired. A step that throws leaves the job to the next attempt, of which there are eight in a row, and so does one that ends its
 * process; a checkpoint begins the count anew. The record alone decides: its queue may bring it as often as it likes.
 * @param options.onProgress called with each state that was stored.
 * @returns the job as it is in the end; `undefined` where another worker has it, or it has ended.
 */
export async function runJob(
  { collection, connection }: JobRecords,
  { id, workspaceId }: JobReference,
  step: (job: JobRecord) => Promise<JobStep>,
  { leaseMs = usualLeaseMs, onProgress }: { leaseMs?: number; onProgress?: (job: Job) => void } = {},
): Promise<Job | undefined> {
  const jobs = collection({ workspaceId })
  const leaseOwner = randomUUID()
  const leasedJob = { _id: id, leaseOwner }
  const leaseFrom = (now: number) => new Date(now + leaseMs)
  const ended = () => ({ expiresAt: new Date(Date.now() + keptMs) })

  const now = Date.now()
  let job = await jobs.findOneAndUpdate(
    { _id: id, leaseEndsAt: { $lte: new Date(now) } },
    { $set: { state: 'running', leaseOwner, leaseEndsAt: leaseFrom(now) }, $inc: { attempts: 1 } },
  )
  if (!job) return undefined
  const renewal = setInterval(() => {
    // The next checkpoint finds out that a lease was lost.
    jobs.updateOne(leasedJob, { $set: { leaseEndsAt: leaseFrom(Date.now()) } }).catch(() => undefined)
  }, leaseMs / 3)
  try {
    if (job.attempts > maxAttempts) throw new Error(`the work has ended its process ${maxAttempts} times in a row`)
    while (job.state === 'running') {
      const outcome = await step(job)
      const next = await inTransaction(connection, async (tx) => {
        await outcome.write?.(tx)
        const stored = await jobs.findOneAndUpdate(leasedJob, updateOf(outcome), { session: tx.session })
        if (!stored) throw new LeaseLost()
        if (stored.state === 'done') await noteEnd(stored, 'done', tx)
        return stored
      }).catch(async (error: unknown) => {
        if (error instanceof LeaseLost) await outcome.discard?.()
        throw error
      })
      job = next
      onProgress?.(toJob(job))
      await outcome.afterwards?.()
    }
    return toJob(job)
  } catch (error) {
    if (error instanceof LeaseLost) return undefined
    const failed = job.attempts >= maxAttempts
    const known = { error: String(error).slice(0, maxErrorLength) }
    const change = failed
      ? ({ $set: { ...known, state: 'failed', ...ended() }, $unset: { leaseOwner: 1, leaseEndsAt: 1 } } as const)
      : ({
          $set: { ...known, leaseEndsAt: new Date(Date.now() + pauseMs(job.attempts)) },
          $unset: { leaseOwner: 1 },
        } as const)
    const ending = job
    await inTransaction(connection, async (tx) => {
      const { matchedCount } = await jobs.updateOne(leasedJob, change, { session: tx.session })
      if (failed && matchedCount > 0) await noteEnd(ending, 'failed', tx)
    })
    throw error
  } finally {
    clearInterval(renewal)
  }

  /** Tells in the audit log what has become of a job that a member has started. */
  async function noteEnd(record: JobRecord, outcome: 'done' | 'failed', { session }: Tx): Promise<void> {
    if (record.startedBy === null) return
    const entry = {
      workspaceId,
      actor: { kind: 'member' as const, id: record.startedBy },
      action: 'jobs.end',
      targets: [{ kind: record.kind, id: record.id }],
      changes: [
        { field: 'done', to: record.done },
        { field: 'failed', to: record.failed },
      ],
      outcome,
      requestId: '',
      personal: {},
    }
    await insertEntry(connection, entry, session)
  }

  function updateOf({ checkpoint, done = 0, failed = 0, total, result }: JobStep) {
    const progress = { checkpoint, attempts: 0, ...(total !== undefined && { total }) }
    const counted = { done, failed }
    return result === undefined
      ? { $set: { ...progress, leaseEndsAt: leaseFrom(Date.now()) }, $inc: counted, $unset: { error: 1 } }
      : {
          $set: { ...progress, result, state: 'done' as const, ...ended() },
          $inc: counted,
          $unset: { error: 1, leaseOwner: 1, leaseEndsAt: 1 },
        }
  }
}

/** Thrown where another worker has taken the job, or it was cancelled: nothing of the step is stored. */
class LeaseLost extends Error {}
