import { Readable } from 'node:stream'
import type { ExportFormat } from '@parley/contracts/contacts/contact-jobs'
import { byteOrderMark, csvLine, lineEnd } from '@parley/rules/csv-cells'
import { inPieces } from './in-pieces.ts'
import { xlsxFile } from './xlsx-file.ts'

type Rows = AsyncIterable<readonly string[]>

/** A table as a file that is made while it is read: memory does not grow with it. No cell is ever run as a formula. */
export const tableFile = (format: ExportFormat, rows: Rows): Readable =>
  format === 'csv' ? Readable.from(inPieces(csvLines(rows)), { objectMode: false }) : xlsxFile(rows)

export const tableTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

async function* csvLines(rows: Rows): AsyncGenerator<string> {
  yield byteOrderMark
  for await (const cells of rows) yield csvLine(cells) + lineEnd
}
