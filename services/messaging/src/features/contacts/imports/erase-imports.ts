import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { createMediaFiles } from '@parley/service-kit/media/media-files'
import type { Person, Trace } from '../../erasure/person.ts'
import { type ImportRecord, importSchema, type RowsRecord, rowsSchema, type StoredRow } from './imports.model.ts'
import { isInTable } from './is-in-table.ts'

const problem = 'The file was deleted because somebody in it was erased. Choose it again.'

/** Deletes files that were imported and name somebody, and empties their rows. */
export function createEraseImports(connection: ServiceConnection) {
  const imports = workspaceCollection<ImportRecord>({ connection, name: 'imports', schema: importSchema })
  const rows = workspaceCollection<RowsRecord>({ connection, name: 'importRows', schema: rowsSchema })
  const importFiles = createMediaFiles(connection, 'importFiles')

  async function eraseImports(scope: WorkspaceScope, person: Person): Promise<void> {
    for await (const record of imports(scope).find({}).hint('newest')) {
      await eraseImport(scope, record, person)
      await eraseRows(scope, record.id, person)
    }
  }

  async function eraseImport(scope: WorkspaceScope, record: ImportRecord, { trace }: Person): Promise<void> {
    const { id, fileId, columns, fileName, state } = record
    const { head = [], firstRows = [], encodings = [], unclear = null } = record
    const found = fileId === undefined ? undefined : await importFiles.read(scope, fileId)
    const isIn = found !== undefined && (await isInTable(found.open, found.media.sizeBytes, trace))
    if (isIn && fileId !== undefined) await importFiles.remove(scope, fileId)
    const isBroken = isIn && !['done', 'undone', 'stopped', 'undoing'].includes(state)
    await imports(scope).updateOne(
      { _id: id },
      {
        $set: {
          head: head.map((cells) => (cells.some(trace.inCell) ? cells.map(() => '') : cells)),
          columns: withoutTrace(columns, trace),
          firstRows: firstRows.map(({ line, text }) => ({ line, text: isInLine(text, trace) ? '' : text })),
          // The one line that is shown in all encodings: in the wrong ones a name is not recognised.
          ...(isIn && encodings.length > 0 && { encodings: [] }),
          ...(unclear && trace.inCell(unclear.written) && { unclear: null }),
          fileName: trace.anything.test(fileName) ? 'import' : fileName,
          ...(isBroken && { state: 'failed', problem }),
        },
        ...(isIn && { $unset: { fileId: 1, stored: 1 } }),
      },
    )
  }

  async function eraseRows(scope: WorkspaceScope, importId: string, { contactId, trace }: Person): Promise<void> {
    for (const phase of ['check', 'run'] as const) {
      for await (const batch of rows(scope).find({ importId, phase }).sort({ batch: 1 }).hint('batch')) {
        const isOwn = (row: StoredRow) =>
          row.contactId === contactId ||
          [row.phone, row.value ?? ''].some(trace.inCell) ||
          trace.identity.test(JSON.stringify(row))
        if (!batch.rows.some(isOwn)) continue
        const without = batch.rows.map((row) => (isOwn(row) ? emptied(row) : row))
        await rows(scope).updateOne({ _id: batch.id }, { $set: { rows: without } })
      }
    }
  }

  return eraseImports
}

const withoutTrace = <T>(value: T, trace: Trace): T =>
  JSON.parse(JSON.stringify(value), (_key, text) =>
    typeof text === 'string' && (trace.inCell(text) || trace.anything.test(text)) ? '' : text,
  )
const isInLine = (text: string, trace: Trace): boolean =>
  trace.anything.test(text) || text.split(' · ').some(trace.inCell)

/** Without what is known of its contact; its outcome is still counted. */
const emptied = ({ line, outcome, undone }: StoredRow): StoredRow => ({
  line,
  outcome,
  name: '',
  phone: '',
  ...(undone && { undone }),
})
