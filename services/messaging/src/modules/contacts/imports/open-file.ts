import {
  type ImportColumn,
  type ImportEncoding,
  type ImportFormat,
  importLimits,
  maxHeaderRow,
} from '@parley/contracts/contacts/import-files'
import type { CountryCode } from '@parley/phone'
import { guessColumns } from './columns.ts'
import { encodingOf, encodingSamples, FileProblem, type OpenFile, startsWith, textOf } from './file-text.ts'
import { headerRowOf, headersOf } from './header-row.ts'
import { csvRecords, type FileRecord, guessDelimiter, guessEscapes, type Records } from './records.ts'
import { vcardRecords } from './vcard-records.ts'
import { firstXlsxRecords, xlsxRecords, xlsxSheets } from './xlsx-records.ts'

/** Facts known of a file before its rows are read. */
export interface OpenedFile {
  readonly format: ImportFormat
  /** The row with the column names, from 1; 0 where none has them. */
  readonly headerRow: number
  /** The first records, a header among them. */
  readonly head: readonly FileRecord[]
  /** Readings of the file in each encoding, where it does not state its own. */
  readonly encodings: readonly { readonly encoding: ImportEncoding; readonly sample: string }[]
  /** Names of a workbook's sheets that people see. */
  readonly sheets: readonly string[]
}

/** Member's choices of how a file is to be read. */
export interface ReadingChoices {
  readonly encoding?: ImportEncoding | undefined
  readonly headerRow?: number | undefined
  /** A sheet of a workbook, by its name. */
  readonly sheet?: string | undefined
}

const headRecords = 100
const headBytes = 64 * 1024
const textNames = /\.(csv|tsv|tab|txt)$/i

/** @throws FileProblem where there is nothing in it to import. */
export async function openFile(
  open: OpenFile,
  name: string,
  sizeBytes: number,
  choices: ReadingChoices = {},
): Promise<OpenedFile> {
  const start = await firstBytes(open)
  const format = await formatOf(open, { start, name }, choices)
  const head = await firstRecords(open, format, sizeBytes)
  if (head.length === 0) throw new FileProblem('The file has no rows.')
  const cells = head.map((record) => record.cells)
  const headerRow = choices.headerRow ?? headerRowOf(cells.slice(0, maxHeaderRow))
  if (head.length === headerRow) throw new FileProblem('The file has column names, but no rows below them.')
  // A row that is wider than the others is refused alone.
  if (headersOf(cells, headerRow).length > importLimits.columns)
    throw new FileProblem(`The file has more than ${importLimits.columns} columns. Remove those that you do not need.`)
  const isMarked =
    format.kind !== 'csv' || format.encoding.startsWith('utf-16') || startsWith(start, [0xef, 0xbb, 0xbf])
  const encodings = isMarked ? [] : encodingSamples(start)
  return { format, headerRow, head, encodings, sheets: format.kind === 'xlsx' ? await xlsxSheets(open, sizeBytes) : [] }
}

/** The rows of a file, whatever its format; empty ones are left out. */
export function recordsOf(open: OpenFile, format: ImportFormat, sizeBytes: number): AsyncGenerator<Records> {
  if (format.kind === 'xlsx') return xlsxRecords(open, sizeBytes, format.sheet)
  return format.kind === 'vcard' ? vcardRecords(open, format) : csvRecords(open, format)
}

/** @param country of numbers that do not say theirs. */
export function columnsOf({ head, headerRow }: Pick<OpenedFile, 'head' | 'headerRow'>, country: CountryCode) {
  const rows = head.map(({ cells }) => cells)
  const columns: ImportColumn[] = guessColumns(headersOf(rows, headerRow), rows.slice(headerRow), country)
  return columns
}

async function formatOf(
  open: OpenFile,
  { start, name }: { start: Uint8Array; name: string },
  { encoding: chosen, sheet }: ReadingChoices,
): Promise<ImportFormat> {
  if (start.length === 0) throw new FileProblem('The file is empty.')
  if (startsWith(start, [0x50, 0x4b, 3, 4])) return { kind: 'xlsx', ...(sheet !== undefined && { sheet }) }
  if (startsWith(start, [0xd0, 0xcf, 0x11, 0xe0]) || /\.(xlsx?|ods|numbers)$/i.test(name))
    throw new FileProblem(`${name} cannot be read. Save it as a workbook (XLSX) or as CSV and choose that file.`)
  const encoding = chosen ?? (await encodingOf(open, start, name))
  if (isVcard(start)) return { kind: 'vcard', encoding }
  if (/\.\w+$/.test(name) && !textNames.test(name))
    throw new FileProblem(`${name} is not a CSV file. Choose one whose name ends in .csv, .tsv, .txt, .xlsx or .vcf.`)
  const text = await firstText(open, encoding)
  const delimiter = guessDelimiter(text)
  const escapes = guessEscapes(text, delimiter)
  return { kind: 'csv', encoding, delimiter, ...(escapes && { escapes }) }
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

async function firstRecords(open: OpenFile, format: ImportFormat, sizeBytes: number): Promise<FileRecord[]> {
  if (format.kind === 'xlsx') return firstXlsxRecords(open, sizeBytes, { sheet: format.sheet, max: headRecords })
  const first: FileRecord[] = []
  for await (const part of recordsOf(open, format, sizeBytes)) {
    first.push(...part.records.slice(0, headRecords - first.length))
    if (first.length === headRecords) break
  }
  return first
}

/** Cards are known by their first line, whatever their file is called; UTF-16 has an empty byte beside each letter. */
const isVcard = (start: Uint8Array): boolean =>
  /^(\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?\s*BEGIN:\s*VCARD/i.test(
    Buffer.from(start.subarray(0, 500)).toString('latin1').replaceAll('\0', ''),
  )
