import { importBatchSize } from '@parley/contracts/contacts'
import { checkRow, type ImportPlan, type ImportRow, isProblem, type RowProblem } from './check-row.ts'
import type { Encoding } from './file-text.ts'
import { FileProblem, mostRows } from './limits.ts'
import { type Delimiter, recordsOf } from './records.ts'

export interface FileFormat {
  readonly encoding: Encoding
  readonly delimiter: Delimiter
}

/** Rows that are ready to be sent, and what was wrong with those between them. `bytes` is how far the file was read. */
export interface Batch {
  readonly rows: readonly ImportRow[]
  readonly problems: readonly RowProblem[]
  readonly bytes: number
}

/**
 * Reads a file in batches of at most 500 rows.
 * @throws FileProblem where it has more than 100,000 rows.
 */
export async function* batchesOf(file: Blob, format: FileFormat, plan: ImportPlan): AsyncGenerator<Batch> {
  const seen = new Map<string, number>()
  let rows: ImportRow[] = []
  let problems: RowProblem[] = []
  let count = 0
  let isHeader = plan.withHeader
  let at = 0
  for await (const { records, bytes } of recordsOf(file, format)) {
    at = bytes
    for (const record of records) {
      if (isHeader) {
        isHeader = false
        continue
      }
      count += 1
      if (count > mostRows) throw new FileProblem('The file has more than 100,000 rows. Split it into smaller files.')
      const row = checkRow(record, plan, seen)
      if (isProblem(row)) problems.push(row)
      else rows.push(row)
      if (rows.length === importBatchSize || problems.length === importBatchSize) {
        yield { rows, problems, bytes }
        rows = []
        problems = []
      }
    }
  }
  yield { rows, problems, bytes: at }
}
