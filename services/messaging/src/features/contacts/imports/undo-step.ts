import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobStep } from '@parley/service-kit/data/run-job'
import type { ListConsent } from '../../consent/list-consent.ts'
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
  readonly consent: Pick<ListConsent, 'takeBack'>
  readonly progress: ImportProgress
}

export type UndoStep = (record: ImportRecord, job: JobRecord) => Promise<JobStep>

/** Undoes a run batch by batch, each in one transaction with its rows. */
export function createUndoStep({ imports, contacts, store, consent, progress }: Dependencies): UndoStep {
  return async (record, job) => {
    const number = typeof job.checkpoint === 'number' ? job.checkpoint : 0
    const batch = await imports.readRows(record, record.id, number)
    const isLast = number + 1 >= record.batches
    return {
      checkpoint: number + 1,
      done: batch?.rows.length ?? 0,
      ...(isLast && { result: {} }),
      write: async (tx) => {
        let counts = countsOf([])
        if (batch) {
          const ids = batch.rows.flatMap(({ contactId }) => contactId ?? [])
          const found = ids.length > 0 ? await contacts.readMany(record, ids, tx) : []
          const current = new Map(found.map((contact) => [contact.id, contact]))
          const undone = batch.rows.map((row) => undoRow(row, current.get(row.contactId ?? '')))
          const takenBack = await consent.takeBack(record, undone.flatMap(entriesTakenBack(record.id)), tx)
          const caller = { workspaceId: record.workspaceId, userId: record.startedBy }
          await store.saveQuietly(
            caller,
            undone.flatMap(({ change }) => (change ? [withoutConsent(change, takenBack)] : [])),
            tx,
          )
          const rows = undone.map(({ row }) => row)
          counts = countsOf(rows)
          await imports.saveRows(record, { id: batch.id, rows, undone: counts }, tx)
        }
        const percent = Math.floor(((number + 1) / Math.max(1, record.batches)) * 100)
        const end = isLast ? { end: 'undone' as const } : {}
        await progress.advance(record, job, { percent: Math.min(100, percent), undone: counts, ...end }, tx)
      },
    }
  }
}

type Undone = ReturnType<typeof undoRow>

/** Keys of what an import has recorded of those whose consent, or who, is taken back with it. */
const entriesTakenBack =
  (importId: string) =>
  ({ row: { line, outcome }, change }: Undone) =>
    change && (outcome === 'created' || change.fields.optIn)
      ? [{ key: entryKeyOf(importId, line), contact: change.record }]
      : []

/** A contact that is removed, and restored by hand later, has said nothing. */
function withoutConsent(change: ContactChange, takenBack: ReadonlySet<string>): ContactChange {
  const { record, fields, live } = change
  if (live !== false || fields.optIn || !takenBack.has(record.optIn.entryId ?? '')) return change
  return { ...change, fields: { ...fields, optIn: { marketing: 'unknown', source: 'import' } } }
}

function countsOf(rows: readonly StoredRow[]) {
  const counts = { removed: 0, restored: 0, kept: 0 }
  for (const { undone } of rows) if (undone) counts[undone] += 1
  return counts
}
