import { type ImportColumn, type ImportFormat, importLimits } from '@parley/contracts/imports'
import { guessColumns, hasHeader } from './columns.ts'
import { FileProblem } from './file-problem.ts'
import { encodingOf, type OpenFile, startsWith, textOf } from './file-text.ts'
import { csvRecords, type FileRecord, guessDelimiter, type Records } from './records.ts'
import { xlsxRecords } from './xlsx-records.ts'

/** What is known of a file before its rows are read. */
export interface OpenedFile {
  readonly format: ImportFormat
  readonly withHeader: boolean
  /** The first records, a header among them. */
  readonly head: readonly (readonly string[])[]
}

const headRecords = 6
const headBytes = 64 * 1024
const textNames = /\.(csv|tsv|tab|txt)$/i

/** @throws FileProblem where there is nothing in it to import. */
export async function openFile(open: OpenFile, name: string, sizeBytes: number): Promise<OpenedFile> {
  const start = await firstBytes(open)
  const format = await formatOf(open, start, name)
  const head = (await firstRecords(recordsOf(open, format, sizeBytes))).map(({ cells }) => cells)
  if (head.length === 0) throw new FileProblem('The file has no rows.')
  const withHeader = hasHeader(head)
  if (head.length === 1 && withHeader) throw new FileProblem('The file has column names, but no rows below them.')
  if (Math.max(...head.map((row) => row.length)) > importLimits.columns)
    throw new FileProblem(`The file has more than ${importLimits.columns} columns. Remove those that you do not need.`)
  return { format, withHeader, head }
}

/** The rows of a file, whatever its format; empty ones are left out. */
export function recordsOf(open: OpenFile, format: ImportFormat, sizeBytes: number): AsyncGenerator<Records> {
  return format.kind === 'xlsx' ? xlsxRecords(open, sizeBytes) : csvRecords(open, format)
}

export const columnsOf = ({ head }: Pick<OpenedFile, 'head'>, withHeader: boolean): ImportColumn[] =>
  guessColumns(head, withHeader)

async function formatOf(open: OpenFile, start: Uint8Array, name: string): Promise<ImportFormat> {
  if (start.length === 0) throw new FileProblem('The file is empty.')
  if (startsWith(start, [0x50, 0x4b, 3, 4])) return { kind: 'xlsx' }
  if (startsWith(start, [0xd0, 0xcf, 0x11, 0xe0]) || /\.(xlsx?|ods|numbers)$/i.test(name))
    throw new FileProblem(`${name} cannot be read. Save it as a workbook (XLSX) or as CSV and choose that file.`)
  const encoding = await encodingOf(open, start, name)
  if (/\.\w+$/.test(name) && !textNames.test(name))
    throw new FileProblem(`${name} is not a CSV file. Choose one whose name ends in .csv, .tsv, .txt or .xlsx.`)
  return { kind: 'csv', encoding, delimiter: guessDelimiter(await firstText(open, encoding)) }
}

async function firstBytes(open: OpenFile): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of open()) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= headBytes) break
  }
  return Buffer.concat(chunks).subarray(0, headBytes)
}

async function firstText(open: OpenFile, encoding: Parameters<typeof textOf>[1]): Promise<string> {
  let first = ''
  for await (const { text } of textOf(open(), encoding)) {
    first += text
    if (first.length >= headBytes) break
  }
  return first.slice(0, headBytes)
}

async function firstRecords(records: AsyncIterable<Records>): Promise<FileRecord[]> {
  const first: FileRecord[] = []
  for await (const part of records) {
    first.push(...part.records.slice(0, headRecords - first.length))
    if (first.length === headRecords) break
  }
  return first
}
