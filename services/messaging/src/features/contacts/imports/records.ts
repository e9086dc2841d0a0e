import { type ImportFormat, importDelimiters } from '@parley/contracts/imports'
import Papa from 'papaparse'
import { FileProblem } from './file-problem.ts'
import { type Encoding, type OpenFile, textOf } from './file-text.ts'

/** One record of a file. `line` is where it begins, from 1; a quoted cell may span several. */
export interface FileRecord {
  readonly line: number
  readonly cells: readonly string[]
}

export type Delimiter = Extract<ImportFormat, { kind: 'csv' }>['delimiter']

/** What was read in one piece; `bytes` is how far into the file that was. */
export interface Records {
  readonly records: readonly FileRecord[]
  readonly bytes: number
}

/** No record is longer; a quote that is never closed would take the rest of the file for one cell. */
const mostRecordLength = 1024 * 1024

/**
 * Reads the records of a CSV file piece by piece, so that memory does not grow with the file. Empty lines are left out.
 * @throws FileProblem for a quote that is never closed.
 */
export async function* csvRecords(
  open: OpenFile,
  { encoding, delimiter }: { encoding: Encoding; delimiter: Delimiter },
): AsyncGenerator<Records> {
  let rest = ''
  let line = 1
  let at = 0
  const readRecords = (isLast: boolean) => {
    const parser = new Papa.Parser({ delimiter, newline: '\n' })
    const { data, meta }: { data: string[][]; meta: { cursor: number } } = parser.parse(rest, 0, !isLast)
    rest = isLast ? '' : rest.slice(meta.cursor)
    const records: FileRecord[] = []
    for (const cells of data) {
      if (cells.some((cell) => cell.trim() !== '')) records.push({ line, cells })
      line += 1 + breaksIn(cells)
    }
    if (rest.length > mostRecordLength)
      throw new FileProblem(`Line ${line} has a quote that is never closed. Close it and choose the file again.`)
    return records
  }
  for await (const { text, bytes } of textOf(open(), encoding)) {
    rest += text
    at = bytes
    yield { records: readRecords(false), bytes }
  }
  yield { records: readRecords(true), bytes: at }
}

const breaksIn = (cells: readonly string[]): number =>
  cells.reduce((count, cell) => count + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0)

/** The sign between cells that makes of these lines a table; a comma where none does. */
export function guessDelimiter(text: string): Delimiter {
  const { meta } = Papa.parse(text, { preview: 20, skipEmptyLines: 'greedy', delimitersToGuess: [...importDelimiters] })
  return importDelimiters.find((delimiter) => delimiter === meta.delimiter) ?? ','
}
