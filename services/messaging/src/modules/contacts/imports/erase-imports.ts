import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { createMediaFiles } from '@parley/service-kit/media/media-files'
import type { Person, Trace } from '../../../platform/person.ts'
import type { FormerIdentity } from '../contacts.model.ts'
import { type ImportRecord, importSchema, type RowsRecord, rowsSchema, type StoredRow } from './imports.model.ts'
import { isInTable } from './is-in-table.ts'

const problem = 'The file was deleted because somebody in it was erased. Choose it again.'
const phases = ['check', 'run'] as const

/** Finds a person in imports, and takes them out. */
export function createEraseImports(connection: ServiceConnection) {
  const imports = workspaceCollection<ImportRecord>({ connection, name: 'imports', schema: importSchema })
  const rows = workspaceCollection<RowsRecord>({ connection, name: 'importRows', schema: rowsSchema })
  const importFiles = createMediaFiles(connection, 'importFiles')

  /** Returns the identities by which files have named a contact that they have added or changed. */
  async function identitiesOf(scope: WorkspaceScope, contactId: string): Promise<FormerIdentity[]> {
    const found: FormerIdentity[] = []
    for await (const { id } of imports(scope).find({}).select('_id').hint('newest'))
      found.push(...(await rowsOf(scope, id, contactId)).flatMap(identitiesIn))
    return found
  }

  /** Deletes files that name a person, and empties their rows. */
  async function erase(scope: WorkspaceScope, person: Person): Promise<void> {
    for await (const record of imports(scope).find({}).hint('newest')) {
      // The lines of the file that have become the contact.
      const lines = new Set((await rowsOf(scope, record.id, person.contactId)).map(({ line }) => line))
      // The rows go last: they lead the worker that follows a killed one to the file.
      await eraseImport(scope, record, { trace: person.trace, lines })
      await eraseRows(scope, record.id, { person, lines })
    }
  }

  /** Rows that have added or changed the contact. */
  async function rowsOf(scope: WorkspaceScope, importId: string, contactId: string): Promise<StoredRow[]> {
    const rowsOfContact: StoredRow[] = []
    for await (const batch of rows(scope).find({ importId, phase: 'run', 'rows.contactId': contactId }).hint('batch'))
      rowsOfContact.push(...batch.rows.filter((row) => row.contactId === contactId))
    return rowsOfContact
  }

  async function eraseImport(
    scope: WorkspaceScope,
    record: ImportRecord,
    { trace, lines }: { trace: Trace; lines: ReadonlySet<number> },
  ): Promise<void> {
    const { id, fileId, format, fileName, state } = record
    const found = fileId === undefined ? undefined : await importFiles.read(scope, fileId)
    const hasRow = lines.size > 0
    const isIn =
      found !== undefined &&
      (hasRow || (await isInTable(found.open, { format, sizeBytes: found.media.sizeBytes }, trace)))
    if (isIn && fileId !== undefined) await importFiles.remove(scope, fileId)
    const isBroken = isIn && !['done', 'undone', 'stopped', 'undoing'].includes(state)
    const $set = {
      ...withoutOwn(record, { trace, lines, isIn: isIn || hasRow }),
      ...(trace.anything.test(fileName) && { fileName: 'import' }),
      ...(isBroken && { state: 'failed' as const, problem }),
    }
    if (isIn || Object.keys($set).length > 0)
      await imports(scope).updateOne({ _id: id }, { $set, ...(isIn && { $unset: { fileId: 1, stored: 1 } }) })
  }

  async function eraseRows(
    scope: WorkspaceScope,
    importId: string,
    { person: { contactId, trace }, lines }: { person: Person; lines: ReadonlySet<number> },
  ): Promise<void> {
    const isOwn = (row: StoredRow) =>
      row.contactId === contactId ||
      lines.has(row.line) ||
      [row.phone, row.value ?? ''].some(trace.inCell) ||
      trace.identity.test(JSON.stringify(row))
    for (const phase of phases) {
      for await (const batch of rows(scope).find({ importId, phase }).sort({ batch: 1 }).hint('batch')) {
        const $set = Object.fromEntries(
          batch.rows.flatMap((row, index) => (isOwn(row) ? [[`rows.${index}`, emptied(row)]] : [])),
        )
        if (Object.keys($set).length > 0) await rows(scope).updateOne({ _id: batch.id }, { $set })
      }
    }
  }

  return { identitiesOf, erase }
}

/**
 * Returns what to empty of the beginning of a file that an import keeps: place by place, since another erasure may empty others
 * at the same moment. Samples are cells of the first rows, which do not say whose they are: where the person is in the file, all
 * of them go.
 */
function withoutOwn(
  { columns, firstRows = [], encodings = [], unclear = null, removedFields = [] }: ImportRecord,
  { trace, lines, isIn }: { trace: Trace; lines: ReadonlySet<number>; isIn: boolean },
): Record<string, unknown> {
  const isOwn = (text: string) => trace.inCell(text) || trace.anything.test(text)
  const places: Record<string, unknown> = {}
  for (const [index, { line, text }] of firstRows.entries())
    if (lines.has(line) || text.split(' · ').some(isOwn) || isOwn(text)) places[`firstRows.${index}.text`] = ''
  for (const [index, { header }] of columns.entries()) if (isOwn(header)) places[`columns.${index}.header`] = ''
  for (const [index, label] of removedFields.entries()) if (isOwn(label)) places[`removedFields.${index}`] = ''
  if (unclear && isOwn(unclear.written)) places['unclear'] = null
  if (isIn || Object.keys(places).length > 0 || columns.some(({ samples }) => samples.some(isOwn))) {
    places['columns.$[].samples'] = []
    // The one line that is shown in all encodings: in the wrong ones a name is not recognised.
    if (encodings.length > 0) places['encodings'] = []
  }
  return places
}

/** Returns the row without what is known of its contact; its outcome is still counted. */
const emptied = ({ line, outcome, undone }: StoredRow): StoredRow => ({
  line,
  outcome,
  name: '',
  phone: '',
  ...(undone && { undone }),
})

/** Returns the identities in a row: its contact's, and those before and after the row. */
function identitiesIn({ name, phone, waUserId, changes = [] }: StoredRow): FormerIdentity[] {
  const before = changes.flatMap(({ field, before: old, after }) =>
    field === 'name' || field === 'phone' || field === 'waUserId'
      ? [old, after].flatMap((value) => (typeof value === 'string' && value !== '' ? [{ [field]: value }] : []))
      : [],
  )
  return [
    { ...(name !== '' && { name }), ...(phone !== '' && { phone }), ...(waUserId !== undefined && { waUserId }) },
    ...before,
  ]
}
