import { Readable } from 'node:stream'
import type { ImportRow, importRowsApi } from '@parley/contracts/contacts/import-rows'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { byteOrderMark, csvLine, lineEnd } from '@parley/rules/csv-cells'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { FileAnswer } from '@parley/service-kit/http/file-answer'
import type { ImportRecord, Phase, StoredRow } from './imports.model.ts'
import type { ImportsRepository } from './imports.repository.ts'
import { toImportRow } from './to-import.ts'

type Query = EndpointInput<typeof importRowsApi.list>['query']
type Which = Pick<Query, 'outcome' | 'undone'>

const usualRows = 50

/** Lists the outcomes of an import's rows, or what they would be. */
export function createImportRowsService(imports: ImportsRepository) {
  /** Yields rows from a place on, batch by batch: only a page is in memory. */
  async function* rowsOf(
    scope: WorkspaceScope,
    record: ImportRecord,
    { which, batch, index }: { which: Which; batch: number; index: number },
  ): AsyncGenerator<{ row: StoredRow; next: string }> {
    let from = index
    for await (const part of imports.rowsFrom(scope, record.id, phaseOf(record), batch)) {
      for (const [index, row] of part.rows.entries())
        if (index >= from && isWanted(row, which)) yield { row, next: `${part.batch}.${index + 1}` }
      from = 0
    }
  }

  async function page(scope: WorkspaceScope, record: ImportRecord, { cursor, limit = usualRows, ...which }: Query) {
    const [batch = 0, index = 0] = (cursor ?? '0.0').split('.').map(Number)
    const items: ImportRow[] = []
    let last: string | null = null
    for await (const { row, next } of rowsOf(scope, record, { which, batch, index })) {
      if (items.length === limit) return { items, nextCursor: last }
      items.push(toImportRow(row))
      last = next
    }
    return { items, nextCursor: null }
  }

  function download(scope: WorkspaceScope, record: ImportRecord, which: Which): FileAnswer {
    async function* lines() {
      yield byteOrderMark +
        csvLine(['Line', 'Outcome', 'Name', 'Phone', 'WhatsApp user id', 'Value', 'Reason']) +
        lineEnd
      let text = ''
      for await (const { row } of rowsOf(scope, record, { which, batch: 0, index: 0 })) {
        text += csvLine(cellsOf(row)) + lineEnd
        if (text.length < 64 * 1024) continue
        yield text
        text = ''
      }
      yield text
    }
    const base = record.fileName.replace(/\.\w+$/, '')
    return {
      type: 'text/csv; charset=utf-8',
      fileName: `${base}-${which.undone ?? which.outcome ?? 'rows'}.csv`,
      open: () => Readable.from(lines(), { objectMode: false }),
    }
  }

  return { page, download }
}

const isWanted = (row: StoredRow, { outcome, undone }: Which): boolean =>
  (outcome === undefined || row.outcome === outcome) && (undone === undefined || row.undone === undone)

const cellsOf = ({ line, outcome, undone, name, phone, waUserId = '', value = '', reason = '' }: StoredRow) => [
  String(line),
  undone ?? outcome,
  name,
  phone,
  waUserId,
  value,
  reason,
]

/** An import that has begun shows what it did, one before that what it would do. */
const phaseOf = ({ state }: ImportRecord): Phase =>
  state === 'draft' || state === 'checking' || state === 'checked' ? 'check' : 'run'
