import type { ImportRow } from '@parley/contracts/contacts/import-rows'
import type { ImportRecord as ShownImport } from '@parley/contracts/contacts/imports'
import type { ImportRecord, StoredChange, StoredRow } from './imports.model.ts'
import { nameOf } from './undo-row.ts'

/** An import as its endpoints answer with it. */
export function toImport(record: ImportRecord): ShownImport {
  const { headerKey: _key, fileId: _file, stored: _stored, jobId: _job, batches: _batches, ...shown } = record
  return {
    ...shown,
    columns: [...record.columns],
    tags: [...record.tags],
    firstRows: [...(record.firstRows ?? [])],
    encodings: [...(record.encodings ?? [])],
    sheets: [...record.sheets],
    unclear: record.unclear ?? null,
    removedFields: [...(record.removedFields ?? [])],
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
    keptUntil: record.keptUntil?.toISOString() ?? null,
  }
}

/** A row of an import as its endpoint answers with it. */
export function toImportRow({ version: _version, changes, ...row }: StoredRow): ImportRow {
  return { ...row, ...(changes && { changes: changes.map(toChange) }) }
}

const toChange = (change: StoredChange) => ({
  field: nameOf(change).slice(0, 80),
  before: textOf(change.before),
  after: textOf(change.after),
})

function textOf(value: unknown): string {
  const text = Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : consentOf(value)
  return text.slice(0, 300)
}

/** A consent is stored with its source and time. */
const consentOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'marketing' in value ? String(value.marketing) : ''
