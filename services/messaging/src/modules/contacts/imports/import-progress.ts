import type { ImportCounts } from '@parley/contracts/contacts/imports'
import { countOf } from '@parley/contracts/core/english-format'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobStep } from '@parley/service-kit/data/run-job'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { type AddNotifications, cut, maxBody, type NewNotification, titled } from '../../../platform/notification.ts'
import type { ImportRecord } from './imports.model.ts'
import type { ImportsRepository } from './imports.repository.ts'
import { undoableMs } from './imports.service.ts'

/** Milliseconds between reports of progress. */
const reportEveryMs = 1000

/** Progress of an import by one step. */
export interface Advance {
  readonly percent: number
  readonly counts?: ImportCounts
  readonly consentRefused?: number
  /** Covers the batches until now. */
  readonly unclear?: ImportRecord['unclear']
  readonly undone?: NonNullable<ImportRecord['undone']>
  /** Labels of the fields that an undo has removed. */
  readonly removedFields?: readonly string[]
  /** The state that it ends in. */
  readonly end?: 'checked' | 'done' | 'undone'
}

/** The import was cancelled while a step was under way: nothing of the step is stored. */
class Cancelled extends Error {}

export type ImportProgress = ReturnType<typeof createImportProgress>

/** Keeps an import's record in step with its job: both change in one transaction. */
export function createImportProgress(
  imports: Pick<ImportsRepository, 'change'>,
  { addNotifications, transaction }: { addNotifications: AddNotifications; transaction: RunInTransaction },
) {
  const reportedAt = new Map<string, number>()

  /** Part of a step's transaction. @param changes contacts that were changed. */
  async function advance(record: ImportRecord, job: JobRecord, by: Advance, tx: Tx): Promise<void> {
    const { percent, counts, consentRefused = 0, unclear, undone, removedFields, end } = by
    const isRun = record.state === 'running'
    const updated = await imports.change(
      record,
      { _id: record.id, jobId: job.id, state: record.state },
      {
        $set: {
          percent: Math.max(record.percent, percent),
          ...(end && { state: end }),
          ...(unclear && { unclear }),
          ...(removedFields && { removedFields }),
          ...(end === 'done' && { keptUntil: new Date(Date.now() + undoableMs) }),
        },
        $inc: {
          ...increments('counts', counts),
          ...increments('undone', undone),
          consentRefused,
          ...(isRun && { batches: 1 }),
        },
      },
      tx,
    )
    if (!updated) {
      reportedAt.delete(record.id)
      throw new Cancelled()
    }
    emitChange(record, tx, { isEnd: end !== undefined })
    if (end === 'done') await addNotifications(record, [ofEnd(updated)], tx)
  }

  function emitChange(
    { id, workspaceId, startedBy, state }: ImportRecord,
    tx: Tx,
    { isEnd }: { isEnd: boolean },
  ): void {
    const now = Date.now()
    if (!isEnd && now - (reportedAt.get(id) ?? 0) < reportEveryMs) return
    if (isEnd) reportedAt.delete(id)
    else reportedAt.set(id, now)
    const common = { workspaceId, by: { kind: 'user' as const, id: startedBy } }
    tx.emit({ ...common, type: 'import.changed', data: { importId: id } })
    if (state !== 'checking') tx.emit({ ...common, type: 'contacts.changed', data: { count: 0 } })
  }

  /** Ends a job whose file cannot be read on: a check leads back to the columns, a run keeps what it did. */
  const giveUp = (record: ImportRecord, job: JobRecord, problem: string): JobStep => ({
    checkpoint: job.checkpoint,
    result: {},
    write: async (tx) => {
      const state = record.state === 'checking' ? ('draft' as const) : ('failed' as const)
      const ended = await imports.change(record, { _id: record.id, jobId: job.id }, { $set: { state, problem } }, tx)
      emitChange(record, tx, { isEnd: true })
      if (ended && record.state === 'running') await addNotifications(record, [ofEnd(ended)], tx)
    },
  })

  return {
    advance,
    giveUp,
    fail: (scope: WorkspaceScope, jobId: string) =>
      transaction(async (tx) => {
        const failed = await imports.change(
          scope,
          { jobId, state: { $in: ['checking', 'running', 'undoing'] } },
          { $set: { state: 'failed', problem: 'Something went wrong on our side.' } },
          tx,
        )
        if (failed) await addNotifications(scope, [ofEnd(failed)], tx)
      }),
  }
}

/** Returns what the member who started an import is told of its end. */
function ofEnd({ id, fileName, startedBy, state, counts, problem, updatedAt }: ImportRecord): NewNotification {
  const isDone = state === 'done'
  const { created, updated, skipped, invalid } = counts
  const results = `${contacts(created)} added, ${countOf(updated)} updated, ${rows(skipped + invalid)} left out.`
  return {
    key: `import/${id}/${state}`,
    category: 'import',
    severity: isDone ? 'success' : 'error',
    title: titled(fileName, isDone ? 'was imported' : 'was not imported to its end'),
    body: cut([...(isDone || problem === null ? [] : [problem]), results].join(' '), maxBody),
    action: isDone ? 'See the result' : 'See what went wrong',
    object: { kind: 'import', id },
    for: [startedBy],
    at: updatedAt,
  }
}

const contacts = (count: number): string => `${countOf(count)} ${count === 1 ? 'contact' : 'contacts'}`
const rows = (count: number): string => `${countOf(count)} ${count === 1 ? 'row' : 'rows'}`

const increments = (field: string, counts: Readonly<Record<string, number>> | undefined): Record<string, number> =>
  Object.fromEntries(Object.entries(counts ?? {}).map(([name, count]) => [`${field}.${name}`, count]))
