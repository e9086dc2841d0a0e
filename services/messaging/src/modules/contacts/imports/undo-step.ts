import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobStep } from '@parley/service-kit/data/run-job'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { AttributesService } from '../attributes/attributes.service.ts'
import type { ListConsent } from '../consent/list-consent.ts'
import type { ContactChange, ContactStore } from '../contact-store.ts'
import type { ContactsRepository } from '../contacts.repository.ts'
import { entryKeyOf } from './decide.ts'
import type { ImportProgress } from './import-progress.ts'
import type { ImportRecord, StoredRow } from './imports.model.ts'
import type { ImportsRepository } from './imports.repository.ts'
import { undoRow } from './undo-row.ts'

interface Dependencies {
  readonly imports: Pick<ImportsRepository, 'readRows' | 'saveRows'>
  readonly contacts: Pick<ContactsRepository, 'readMany'>
  readonly store: ContactStore
  readonly consent: Pick<ListConsent, 'revoke'>
  readonly attributes: Pick<AttributesService, 'madeBy' | 'removeMade'>
  /** Returns those of these fields that something uses. */
  readonly usedFields: (scope: WorkspaceScope, names: readonly string[]) => Promise<ReadonlySet<string>>
  readonly progress: ImportProgress
}

export type UndoStep = (record: ImportRecord, job: JobRecord) => Promise<JobStep>

/**
 * Rows that are undone together: each is moved in every index of contacts. A transaction of a whole batch might outlast, on a
 * slow machine, the three seconds that MongoDB gives it, and would then be tried again in vain.
 */
const stepRows = 250

/** Undoes a run batch by batch, some rows at a time, each time in one transaction with the rows of the batch. */
export function createUndoStep(deps: Dependencies): UndoStep {
  const { imports, contacts, store, consent, progress } = deps
  return async (record, job) => {
    const number = typeof job.checkpoint === 'number' ? job.checkpoint : 0
    if (number >= record.batches) return removeFields(record, job)
    const batch = await imports.readRows(record, record.id, number)
    const left = (batch?.rows ?? []).filter(isLeft)
    const rowsOfStep = left.slice(0, stepRows)
    const isEndOfBatch = rowsOfStep.length === left.length
    return {
      checkpoint: isEndOfBatch ? number + 1 : number,
      done: rowsOfStep.length,
      write: async (tx) => {
        const undone = rowsOfStep.length > 0 ? await undo(record, rowsOfStep, tx) : []
        if (batch && undone.length > 0) {
          const byLine = new Map(undone.map((row) => [row.line, row]))
          const rows = batch.rows.map((row) => byLine.get(row.line) ?? row)
          await imports.saveRows(record, { id: batch.id, rows, undone: countsOf(rows) }, tx)
        }
        const percent = Math.floor(((isEndOfBatch ? number + 1 : number) / Math.max(1, record.batches)) * 100)
        await progress.advance(record, job, { percent: Math.min(100, percent), undone: countsOf(undone) }, tx)
      },
    }
  }

  /** The last step: once nothing uses them, the fields that the import has defined go as well. */
  async function removeFields(record: ImportRecord, job: JobRecord): Promise<JobStep> {
    const made = await deps.attributes.madeBy(record, record.id)
    const used = await deps.usedFields(
      record,
      made.map(({ name }) => name),
    )
    const unused = made.filter(({ name }) => !used.has(name))
    return {
      checkpoint: job.checkpoint,
      result: {},
      write: async (tx) => {
        const removedFields = await deps.attributes.removeMade(authorOf(record), unused, tx)
        await progress.advance(record, job, { percent: 100, removedFields, end: 'undone' }, tx)
      },
    }
  }

  /** @returns the rows as they are then. */
  async function undo(record: ImportRecord, rows: readonly StoredRow[], tx: Tx): Promise<StoredRow[]> {
    const ids = rows.flatMap(({ contactId }) => contactId ?? [])
    const current = new Map((await contacts.readMany(record, ids, tx)).map((contact) => [contact.id, contact]))
    const undone = rows.map((row) => undoRow(row, current.get(row.contactId ?? '')))
    const revoked = await consent.revoke(record, undone.flatMap(entriesTakenBack(record.id)), tx)
    const changes = undone.flatMap(({ row, change }) => {
      if (!change) return []
      const back = withoutConsent(change, revoked)
      return [row.undone === 'kept' ? back : withoutImport(back, record.id)]
    })
    await store.saveQuietly(authorOf(record), changes, tx)
    return undone.map(({ row }) => row)
  }
}

const authorOf = ({ workspaceId, startedBy }: ImportRecord) => ({
  workspaceId,
  actor: { kind: 'user' as const, id: startedBy },
})

/** Returns whether the import has changed something that was not undone. */
const isLeft = ({ outcome, undone }: StoredRow): boolean =>
  undone === undefined && (outcome === 'created' || outcome === 'updated')

type Undone = ReturnType<typeof undoRow>

/** Returns keys of the entries of an import that its undo revokes: of contacts that it removes, and of consent that it takes back. */
const entriesTakenBack =
  (importId: string) =>
  ({ row: { line, outcome }, change }: Undone) =>
    change && (outcome === 'created' || change.fields.optIn)
      ? [{ key: entryKeyOf(importId, line), contact: change.record }]
      : []

/** A contact that is removed, and restored by hand later, has said nothing. */
function withoutConsent(change: ContactChange, revoked: ReadonlySet<string>): ContactChange {
  const { record, fields, live } = change
  if (live !== false || fields.optIn || !revoked.has(record.optIn.entryId ?? '')) return change
  return { ...change, fields: { ...fields, optIn: { marketing: 'unknown', source: 'import' } } }
}

/** A contact that is as before the import is no longer found by it. */
function withoutImport({ record, fields, ...change }: ContactChange, importId: string): ContactChange {
  const left = record.importIds?.filter((id) => id !== importId)
  return { ...change, record, fields: { ...fields, importIds: left?.length ? left : undefined } }
}

function countsOf(rows: readonly StoredRow[]) {
  const counts = { removed: 0, restored: 0, kept: 0 }
  for (const { undone } of rows) if (undone) counts[undone] += 1
  return counts
}
