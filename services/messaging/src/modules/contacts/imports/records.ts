import { type ImportFormat, importDelimiters } from '@parley/contracts/contacts/import-files'
import Papa from 'papaparse'
import { FileProblem, type OpenFile, textOf } from './file-text.ts'

/** One record of a file. `line` is where it begins, from 1; a quoted cell may span several. */
export interface FileRecord {
  readonly line: number
  readonly cells: readonly string[]
  /** Reason why it cannot be read at all. */
  readonly problem?: string
  /** Sentences about what of it cannot be read. */
  readonly notes?: readonly string[]
}

type CsvFormat = Omit<Extract<ImportFormat, { kind: 'csv' }>, 'kind'>
export type Delimiter = CsvFormat['delimiter']

/** Records read in one piece; `bytes` is the position in the file that this reached. */
export interface Records {
  readonly records: readonly FileRecord[]
  readonly bytes: number
}

/** Maximum length of a record; a quote that is never closed would take the rest of the file for one cell. */
export const maxRecordLength = 1024 * 1024

/**
 * Reads the records of a CSV file piece by piece, so that memory does not grow with the file. Empty lines are left out.
 * @throws FileProblem for a quote that is never closed.
 */
export async function* csvRecords(
  open: OpenFile,
  { encoding, delimiter, escapes }: CsvFormat,
): AsyncGenerator<Records> {
  let rest = ''
  let line = 1
  let at = 0
  const readRecords = (isLast: boolean) => {
    const parser = new Papa.Parser({ delimiter, newline: '\n', ...(escapes === 'quotes' && { escapeChar: '\\' }) })
    const { data, meta }: { data: string[][]; meta: { cursor: number } } = parser.parse(rest, 0, !isLast)
    rest = isLast ? '' : rest.slice(meta.cursor)
    const records: FileRecord[] = []
    for (const cells of data) {
      const isHint = line === 1 && delimiterHint.test(cells.join(''))
      if (!isHint && cells.some((cell) => cell.trim() !== ''))
        records.push({ line, cells: escapes === 'letters' ? cells.map(unescaped) : cells })
      line += 1 + breaksIn(cells)
    }
    if (rest.length > maxRecordLength)
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

/** The first line of some spreadsheets' files, which names the sign between cells: `sep=;`. */
const delimiterHint = /^"?sep=.?"?$/i

/** The sign between cells that makes of these lines a table; a comma where none does. */
export function guessDelimiter(text: string): Delimiter {
  const hint = /^"?sep=(.)"?\n/i.exec(text)?.[1]
  const { meta } = Papa.parse(text, { preview: 20, skipEmptyLines: 'greedy', delimitersToGuess: [...importDelimiters] })
  return importDelimiters.find((delimiter) => delimiter === (hint ?? meta.delimiter)) ?? ','
}

/**
 * Guesses the meaning of backslashes: before quotes inside of quotes where no quote is doubled (R's `write.table`); as `\n` and
 * `\t` in a file of tabs that has no quoted cells and no other backslashes (Miller, database dumps).
 */
export function guessEscapes(text: string, delimiter: Delimiter): CsvFormat['escapes'] {
  if (/(^|[\n,;\t|])"[^"\n]*\\"[^,;\t|\n]/.test(text) && !text.includes('""')) return 'quotes'
  const hasQuoted = /(^|[\n\t])"/.test(text)
  const isLinear = delimiter === '\t' && !hasQuoted && text.includes('\\')
  return isLinear && !/\\(?![nrt\\])/.test(text.replaceAll('\\\\', '')) ? 'letters' : undefined
}

const unescapedLetters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
const unescaped = (cell: string): string =>
  cell.replaceAll(/\\([nrt\\])/g, (_, letter: string) => unescapedLetters[letter] ?? letter)
