import { AppError } from '@parley/service-kit/core/errors'
import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import { type JobRecords, type JobReference, keptMs } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type JobStep, runJob } from '@parley/service-kit/data/run-job'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { Caused } from '@parley/service-kit/http/context'
import { actorOf } from '../../../platform/actor-of.ts'
import type { ContactListsService } from '../contact-lists.service.ts'
import type { ContactChange, ContactStore } from '../contact-store.ts'
import type { ContactsRepository } from '../contacts.repository.ts'
import type { TagsRepository } from '../tags/tags.repository.ts'
import { type NamesTags, renameTagElsewhere } from '../tags/tags.service.ts'
import { emitJobChanged } from './begin-job.ts'
import { type ChangedBatchRecord, changedBatchSchema } from './changed-contacts.model.ts'
import { changeBy, undoOf } from './contact-actions.ts'
import { leaseMs } from './export-runner.ts'
import {
  changeCheckpointSchema,
  changeInputSchema,
  changeKind,
  type RenamedIn,
  undoCheckpointSchema,
  undoInputSchema,
  undoKind,
} from './job-inputs.ts'
import { moreThanAllowed } from './selection-approvals.ts'

/** Contacts of one step. */
const batchSize = 500
/** Milliseconds between reports to open lists. */
const reportEveryMs = 1000
/** A change can be undone for as long as its job is kept, which counts from its end. */
const maxRunMs = 30 * 86_400_000

interface Dependencies extends NamesTags {
  readonly jobs: JobRecords
  readonly contacts: Pick<ContactsRepository, 'count' | 'idsAfter' | 'readMany'>
  readonly tags: Pick<TagsRepository, 'ensure' | 'ensureLike'>
  readonly lists: Pick<ContactListsService, 'partsOfSelection'>
  readonly store: Pick<ContactStore, 'saveQuietly' | 'startWorkflows'>
  readonly mongo: ServiceConnection
  readonly wakeEvents: (workspaceId: string) => void
  /** Waits, for some seconds at most, until flows have read what was recorded for them. */
  readonly flowsHaveRead: (workspaceId: string) => Promise<void>
}

/** Creates the work on a change of many contacts, and on its undo: batch by batch, each in one transaction. */
export function createChangeWork(deps: Dependencies) {
  const { jobs, contacts, tags, lists, store, wakeEvents, flowsHaveRead } = deps
  const changed = createChangedContacts(deps.mongo)
  let reportedAt = 0

  async function changeStep(job: JobRecord): Promise<JobStep> {
    const { selection, action, upTo, startWorkflows, maxContacts } = changeInputSchema.parse(job.input)
    const parts = await lists.partsOfSelection(job, selection)
    if (job.checkpoint === null) {
      if (action.kind === 'add_tags') await tags.ensure(job, action.tags)
      if (action.kind === 'rename_tag') await tags.ensureLike(job, action.to, action.tag)
      return { checkpoint: { after: '', batch: 0, changed: 0 }, total: (await contacts.count(job, parts)) ?? 0 }
    }
    const checkpoint = changeCheckpointSchema.parse(job.checkpoint)
    if (startWorkflows) await flowsHaveRead(job.workspaceId)
    const ids = await contacts.idsAfter(job, { parts, after: checkpoint.after, upTo, limit: batchSize })
    // The selection may have grown since it was allowed.
    if (maxContacts !== undefined && checkpoint.changed + ids.length > maxContacts) throw moreThanAllowed()
    const isLast = ids.length < batchSize
    let touched = 0
    let renamedIn: RenamedIn | undefined
    return {
      // The step's result is known once its transaction has written it.
      get checkpoint() {
        const changed = checkpoint.changed + touched
        return {
          after: ids.at(-1) ?? checkpoint.after,
          batch: checkpoint.batch + 1,
          changed,
          ...(renamedIn && { renamedIn }),
        }
      },
      done: ids.length,
      ...(isLast && { result: {} }),
      write: async (tx) => {
        const records = ids.length > 0 ? await contacts.readMany(job, ids, tx) : []
        const changes = records.flatMap((record) => changeBy(action, record) ?? [])
        touched = changes.length
        await save(job, changes, isLast, tx)
        if (startWorkflows) await store.startWorkflows(callerOf(job), { changes }, tx)
        const batch = changes.map(({ record: { id, version, tags } }) => ({ id, version: version + 1, tags }))
        if (isLast && action.kind === 'rename_tag')
          renamedIn = await renameTagElsewhere(deps, callerOf(job), action, tx)
        if (touched > 0) await changed.add(job, { jobId: job.id, batch: checkpoint.batch, contacts: batch }, tx)
      },
    }
  }

  async function undoStep(job: JobRecord): Promise<JobStep> {
    const { jobId, action, renamedIn } = undoInputSchema.parse(job.input)
    const checkpoint = undoCheckpointSchema.parse(job.checkpoint ?? { batch: 0, changed: 0, kept: 0 })
    if (job.checkpoint === null && action.kind === 'rename_tag') await tags.ensureLike(job, action.tag, action.to)
    const found = await changed.from(job, jobId, checkpoint.batch)
    const isLast = !found
    const ofBatch = found?.contacts ?? []
    let back = 0
    return {
      get checkpoint() {
        const kept = checkpoint.kept + ofBatch.length - back
        return { batch: found ? found.batch + 1 : checkpoint.batch, changed: checkpoint.changed + back, kept }
      },
      done: ofBatch.length,
      ...(isLast && { result: {} }),
      write: async (tx) => {
        const ids = ofBatch.map(({ id }) => id)
        const records = ids.length > 0 ? await contacts.readMany(job, ids, tx) : []
        const byId = new Map(records.map((record) => [record.id, record]))
        const changes = ofBatch.flatMap((one) => undoOf(action, one, byId.get(one.id)) ?? [])
        back = changes.length
        if (isLast && action.kind === 'rename_tag')
          await renameTagElsewhere(deps, callerOf(job), { tag: action.to, to: action.tag, only: renamedIn }, tx)
        await save(job, changes, isLast, tx)
      },
    }
  }

  async function save(job: JobRecord, changes: readonly ContactChange[], isLast: boolean, tx: Tx): Promise<void> {
    const { workspaceId, startedBy } = job
    await store.saveQuietly(callerOf(job), changes, tx)
    if (isLast) emitJobChanged(job, tx)
    const now = Date.now()
    if (!isLast && (changes.length === 0 || now - reportedAt < reportEveryMs)) return
    reportedAt = now
    tx.emit({ workspaceId, by: actorOf(startedBy), type: 'contacts.changed', data: { count: changes.length } })
  }

  const perform = async (reference: JobReference): Promise<void> => {
    const onProgress = () => wakeEvents(reference.workspaceId)
    const step = async (job: JobRecord): Promise<JobStep> => {
      try {
        return await (job.kind === undoKind ? undoStep(job) : changeStep(job))
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const { code, message } = error
        if (code !== 'not_found' && code !== 'approval_required') throw error
        const result = { problem: code === 'not_found' ? 'The segment was deleted.' : message }
        return { checkpoint: job.checkpoint, result, write: async (tx) => emitJobChanged(job, tx) }
      }
    }
    await runJob(jobs, reference, step, { leaseMs, onProgress })
  }
  return { [changeKind]: perform, [undoKind]: perform }
}

const callerOf = ({ workspaceId, startedBy }: JobRecord): WorkspaceScope & Caused => ({
  workspaceId,
  actor: startedBy === null ? { kind: 'system' } : { kind: 'user', id: startedBy },
})

/** Stores what jobs have changed, batch by batch, in the transaction of the change. */
function createChangedContacts(connection: ServiceConnection) {
  const batches = workspaceCollection<ChangedBatchRecord>({
    connection,
    name: 'changedContacts',
    schema: changedBatchSchema,
  })
  return {
    add: (
      scope: WorkspaceScope,
      fields: Pick<ChangedBatchRecord, 'jobId' | 'batch' | 'contacts'>,
      { session }: Pick<Tx, 'session'>,
    ) => batches(scope).insertPlain([{ ...fields, expiresAt: new Date(Date.now() + maxRunMs + keptMs) }], { session }),
    /** The first batch from this number on. */
    from: (scope: WorkspaceScope, jobId: string, batch: number, options: SessionOption = {}) =>
      batches(scope).findOne({ jobId, batch: { $gte: batch } }, { ...options, sort: { batch: 1 }, hint: 'batch' }),
  }
}
