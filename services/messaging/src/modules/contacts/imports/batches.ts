import { type ImportFormat, importLimits } from '@parley/contracts/contacts/import-files'
import { type CheckedRow, checkRow, isProblem, type RowProblem, type SeenPeople } from './check-row.ts'
import { FileProblem, type OpenFile } from './file-text.ts'
import type { ImportPlan } from './import-plan.ts'
import { createNumberLines } from './number-lines.ts'
import { recordsOf } from './open-file.ts'
import type { FileRecord } from './records.ts'

/** Rows that are written together. */
export interface Batch {
  readonly rows: readonly (CheckedRow | RowProblem)[]
  /** Rows of the file up to its end. */
  readonly upTo: number
  /** Position in the file, in bytes. */
  readonly bytes: number
  readonly isLast: boolean
}

const batchRows = 1000
/** The same where each contact has an event of its own, with a snapshot of it. */
const startingRows = 500
/** Details of a batch: its rows, with what they replace, are one document of at most 16 MB. */
const batchDetails = 3000

/**
 * The rows of a file, batch by batch, after the first `skip`: those are read again, for whom they are about, but not given.
 * @throws FileProblem where the file cannot be read on.
 */
export async function* batchesOf(
  open: OpenFile,
  format: ImportFormat,
  plan: ImportPlan,
  { skip, sizeBytes, startsWorkflows = false }: { skip: number; sizeBytes: number; startsWorkflows?: boolean },
): AsyncGenerator<Batch> {
  const maxRows = startsWorkflows ? startingRows : batchRows
  const seen: SeenPeople = { phones: createNumberLines(), userIds: new Map() }
  let rows: (CheckedRow | RowProblem)[] = []
  let details = 0
  let count = 0
  let at = 0
  let above = plan.headerRow
  let header: string | undefined
  for await (const { records, bytes } of recordsOf(open, format, sizeBytes)) {
    at = bytes
    for (const record of records) {
      if (above > 0) {
        above -= 1
        if (above === 0) header = textOf(record)
        continue
      }
      // Files that were put together repeat their column names.
      if (header?.startsWith(record.cells[0]?.trim() ?? '') && textOf(record) === header) continue
      count += 1
      if (count > importLimits.rows)
        throw new FileProblem('The file has more than 1,000,000 rows. Split it into smaller files.')
      const row = unreadable(record) ?? checkRow(record, plan, seen)
      if (count <= skip) continue
      rows.push(row)
      if (!isProblem(row)) details += Object.keys(row.attributes).length
      if (rows.length < maxRows && details < batchDetails) continue
      yield { rows, upTo: count, bytes, isLast: false }
      rows = []
      details = 0
    }
  }
  yield { rows, upTo: count, bytes: at, isLast: true }
}

const textOf = ({ cells }: FileRecord): string => cells.map((cell) => cell.trim()).join('\n')

const unreadable = ({ line, problem }: FileRecord): RowProblem | undefined =>
  problem === undefined ? undefined : { line, name: '', value: '', reason: problem }
