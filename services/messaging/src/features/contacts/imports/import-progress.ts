import type { ImportCounts } from '@parley/contracts/imports'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobStep } from '@parley/service-kit/data/run-job'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { ImportRecord } from './imports.model.ts'
import type { ImportsRepository } from './imports.repository.ts'
import { undoableMs } from './imports.service.ts'

/** Whoever watches hears of it this often. */
const toldEveryMs = 1000

/** What one step has brought an import. */
export interface Advance {
  readonly percent: number
  readonly counts?: ImportCounts
  readonly undone?: NonNullable<ImportRecord['undone']>
  /** The state that it ends in. */
  readonly end?: 'checked' | 'done' | 'undone'
}

/** The import was cancelled while a step was under way: nothing of the step is stored. */
class Cancelled extends Error {}

export type ImportProgress = ReturnType<typeof createImportProgress>

/** Keeps an import's record in step with its job: both change in one transaction. */
export function createImportProgress(imports: Pick<ImportsRepository, 'change'>) {
  const toldAt = new Map<string, number>()

  /** Part of a step's transaction. @param changes contacts that were changed. */
  async function advance(record: ImportRecord, job: JobRecord, by: Advance, tx: Tx): Promise<void> {
    const { percent, counts, undone, end } = by
    const isRun = record.state === 'running'
    const updated = await imports.change(
      record,
      { _id: record.id, jobId: job.id, state: record.state },
      {
        $set: {
          percent: Math.max(record.percent, percent),
          ...(end && { state: end }),
          ...(end === 'done' && { keptUntil: new Date(Date.now() + undoableMs) }),
        },
        $inc: { ...increments('counts', counts), ...increments('undone', undone), ...(isRun && { batches: 1 }) },
      },
      tx,
    )
    if (!updated) {
      toldAt.delete(record.id)
      throw new Cancelled()
    }
    tell(record, tx, { isEnd: end !== undefined })
  }

  function tell({ id, workspaceId, startedBy, state }: ImportRecord, tx: Tx, { isEnd }: { isEnd: boolean }): void {
    const now = Date.now()
    if (!isEnd && now - (toldAt.get(id) ?? 0) < toldEveryMs) return
    if (isEnd) toldAt.delete(id)
    else toldAt.set(id, now)
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
      await imports.change(record, { _id: record.id, jobId: job.id }, { $set: { state, problem } }, tx)
      tell(record, tx, { isEnd: true })
    },
  })

  return {
    advance,
    giveUp,
    fail: (scope: WorkspaceScope, jobId: string) =>
      imports.change(
        scope,
        { jobId, state: { $in: ['checking', 'running', 'undoing'] } },
        { $set: { state: 'failed', problem: 'Something went wrong on our side.' } },
      ),
  }
}

const increments = (field: string, counts: Readonly<Record<string, number>> | undefined): Record<string, number> =>
  Object.fromEntries(Object.entries(counts ?? {}).map(([name, count]) => [`${field}.${name}`, count]))
