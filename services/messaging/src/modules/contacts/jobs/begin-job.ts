import type { ContactJob } from '@parley/contracts/contacts/contact-jobs'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobRecords, JobReference } from '@parley/service-kit/data/job-records'
import { newId } from '@parley/service-kit/data/plain'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { memberIdOf } from '@parley/service-kit/http/context'
import { actorOf } from '../../../platform/actor-of.ts'
import type { Caller } from '../contact-store.ts'
import { toContactJob } from './to-contact-job.ts'

interface Dependencies {
  readonly jobs: Pick<JobRecords, 'create' | 'collection'>
  readonly queue: (jobs: readonly JobReference[]) => Promise<void>
  readonly transaction: RunInTransaction
}

/**
 * Records a job that a person starts, with its event, and queues it for the workers. A call that is repeated with its `Idempotency-Key`, as
 * after a process died before it could answer, begins no second one.
 */
export function createBeginJob({ jobs, queue, transaction }: Dependencies) {
  /** Finds the job that this call has begun before. */
  async function begun(ctx: Caller): Promise<ContactJob | undefined> {
    const job = ctx.intent && (await jobs.collection(ctx).findOne({ _id: newId(ctx) }))
    return job ? toContactJob(job) : undefined
  }

  async function begin(
    ctx: Caller,
    job: { kind: string; total: number; input: unknown },
    also?: (created: JobRecord, tx: Tx) => Promise<void>,
  ): Promise<ContactJob> {
    const before = await begun(ctx)
    if (before) return before
    const created = await transaction(async (tx) => {
      const record = { ...job, _id: newId(ctx), input: withoutAbsent(job.input), startedBy: memberIdOf(ctx) ?? null }
      const waiting = await jobs.create(ctx, record, { session: tx.session })
      await also?.(waiting, tx)
      emitJobChanged(waiting, tx)
      return waiting
    })
    await queue([{ id: created.id, workspaceId: ctx.workspaceId }])
    return toContactJob(created)
  }
  return { begin, begun }
}

/** The same without what is undefined, which MongoDB would store as null. */
const withoutAbsent = (input: unknown): unknown => JSON.parse(JSON.stringify(input))

/** Announces to pages that show jobs that this one has begun or ended. */
export function emitJobChanged({ id, workspaceId, startedBy }: JobRecord, tx: Pick<Tx, 'emit'>): void {
  tx.emit({ workspaceId, by: actorOf(startedBy), type: 'contact_job.changed', data: { jobId: id } })
}
