import type { ContactJob } from '@parley/contracts/contacts/contact-jobs'
import type { MergePairs } from '@parley/contracts/contacts/contact-merge'
import { countOf } from '@parley/contracts/core/english-format'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobReference } from '@parley/service-kit/data/job-records'
import { type JobStep, runJob } from '@parley/service-kit/data/run-job'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { z } from 'zod'
import type { AddNotifications } from '../../../platform/notification.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { ApprovalRulesService } from '../../approvals/approval-rules.service.ts'
import type { Caller } from '../../contacts/contact-store.ts'
import type { ContactRecord, ContactsRepository } from '../../contacts/contacts.service.ts'
import { createBeginJob, emitJobChanged } from '../../contacts/jobs/begin-job.ts'
import { leaseMs } from '../../contacts/jobs/export-runner.ts'
import {
  mergesCheckpointSchema,
  mergesInputSchema,
  mergesKind,
  mergesUndoInputSchema,
  mergesUndoKind,
  noMerges,
} from '../../contacts/jobs/job-inputs.ts'
import type { createMerging } from './merging.service.ts'

interface Dependencies extends Pick<Platform, 'jobs' | 'queueJobs' | 'transaction' | 'wakeEvents'> {
  readonly merging: Pick<ReturnType<typeof createMerging>, 'merge' | 'undo'>
  readonly contacts: Pick<ContactsRepository, 'read' | 'readLive'>
  readonly approvalRules: Pick<ApprovalRulesService, 'read'>
  readonly addNotifications: AddNotifications
}
type Pair = MergePairs[number]
/** Pair that is next, and those before it that were left as they are. */
type Progress = Pick<z.infer<typeof mergesCheckpointSchema>, 'next' | 'left'>

const nothingTaken = { name: false, account: false, attributes: [] }

/** Starts to merge many pairs of contacts. Each pair is one merge, with the checks of one that a member makes by hand. */
export function createMergeMany({ jobs, queueJobs: queue, transaction, approvalRules }: Dependencies) {
  const { begin } = createBeginJob({ jobs, queue, transaction })
  /** @throws `wrong_state` for more contacts than the workspace lets one member delete alone: a merge takes them off the list as well. */
  return async (ctx: Caller, pairs: MergePairs): Promise<ContactJob> => {
    const { deletedContacts: limit } = await approvalRules.read(ctx)
    if (limit !== null && pairs.length > limit)
      throw errors.wrongState(
        `This workspace lets one member delete or merge at most ${countOf(limit)} contacts at once. Choose fewer pairs.`,
      )
    return begin(ctx, { kind: mergesKind, total: pairs.length, input: { pairs } })
  }
}

/** Creates the work of workers: pair by pair, each in a transaction of its own. A pair that a killed worker has done is known by its record. */
export function createMergesWork({ jobs, merging, contacts, addNotifications, wakeEvents }: Dependencies) {
  async function mergePair(job: JobRecord, pairs: readonly Pair[], { next, left }: Progress): Promise<boolean> {
    const pair = pairs[next]
    if (!pair) return false
    const { keptId, otherId, otherVersion } = pair
    const other = await contacts.read(job, otherId)
    if (isMergedBy(job.id, other?.merged, keptId)) return true
    // An earlier pair of this job has changed the contact that stays; where it was left, somebody else has.
    const isAsShown = !pairs.slice(0, next).some((earlier, index) => earlier.keptId === keptId && !left.includes(index))
    const version = isAsShown ? pair.version : ((await contacts.readLive(job, keptId))?.version ?? pair.version)
    return unlessRefused(() =>
      merging.merge(callerOf(job), keptId, { otherId, version, otherVersion, taken: nothingTaken }, { jobId: job.id }),
    )
  }

  async function undoPair(job: JobRecord, pairs: readonly Pair[], { next }: Progress): Promise<boolean> {
    const { jobId } = mergesUndoInputSchema.parse(job.input)
    const pair = pairs.at(-1 - next)
    const other = pair && (await contacts.read(job, pair.otherId))
    if (!pair || !other) return false
    if (other.live && !other.merged) return true
    // A pair that somebody has separated and merged again since belongs to them.
    if (!isMergedBy(jobId, other.merged, pair.keptId)) return false
    return unlessRefused(() => merging.undo(callerOf(job), pair.keptId, pair.otherId))
  }

  async function step(job: JobRecord): Promise<JobStep> {
    const { pairs } = mergesInputSchema.parse(job.input)
    const checkpoint = mergesCheckpointSchema.parse(job.checkpoint ?? noMerges)
    const { next, changed, kept, left } = checkpoint
    if (next >= pairs.length) return { checkpoint, result: {}, write: (tx) => tellEnd(job, tx) }
    const isDone = await (job.kind === mergesUndoKind ? undoPair : mergePair)(job, pairs, { next, left })
    const counts = isDone ? { changed: changed + 1, kept, left } : { changed, kept: kept + 1, left: [...left, next] }
    return { checkpoint: { next: next + 1, ...counts }, done: 1 }
  }

  async function tellEnd(job: JobRecord, tx: Tx): Promise<void> {
    emitJobChanged(job, tx)
    const { changed, kept } = mergesCheckpointSchema.parse(job.checkpoint)
    const isUndo = job.kind === mergesUndoKind
    const left =
      kept === 0 ? '' : ` ${countOf(kept)} ${kept === 1 ? 'pair' : 'pairs'} had changed and stayed as they were.`
    await addNotifications(
      job,
      [
        {
          key: `contact_merges/${job.id}`,
          category: 'import',
          severity: kept === 0 ? 'success' : 'warning',
          title: `${countOf(changed)} ${changed === 1 ? 'pair' : 'pairs'} of contacts ${isUndo ? 'separated' : 'merged'}`,
          body: `${isUndo ? 'The merges were undone.' : 'They can be separated again for seven days.'}${left}`,
          object: { kind: 'contact_merges', id: job.id },
          at: new Date(),
          ...(job.startedBy !== null && { for: [job.startedBy] }),
        },
      ],
      tx,
    )
  }

  const perform = async (reference: JobReference): Promise<void> => {
    await runJob(jobs, reference, step, { leaseMs, onProgress: () => wakeEvents(reference.workspaceId) })
  }
  return { [mergesKind]: perform, [mergesUndoKind]: perform }
}

const isMergedBy = (jobId: string, merged: ContactRecord['merged'], keptId: string): boolean =>
  merged?.id === keptId && merged.jobId === jobId

/** Refusals leave a pair as it is; everything else is tried again. */
async function unlessRefused(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return false
    throw error
  }
}

const callerOf = ({ workspaceId, startedBy }: JobRecord): WorkspaceScope & { userId?: string } => ({
  workspaceId,
  ...(startedBy !== null && { userId: startedBy }),
})
