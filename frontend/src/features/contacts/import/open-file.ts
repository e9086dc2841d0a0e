import type { FileFormat } from './batches.ts'
import { type Column, guessColumns, hasHeader } from './columns.ts'
import { encodingOf, textOf } from './file-text.ts'
import { FileProblem, mostColumns } from './limits.ts'
import { type FileRecord, guessDelimiter, recordsOf } from './records.ts'

/** What is known of a file before its rows are read. */
export interface OpenedFile extends FileFormat {
  readonly withHeader: boolean
  /** The first records, a header among them. */
  readonly head: readonly (readonly string[])[]
}

const headRecords = 6

/** @throws FileProblem where there is nothing in it to import. */
export async function openFile(file: Blob, name: string): Promise<OpenedFile> {
  const encoding = await encodingOf(file, name)
  const delimiter = guessDelimiter(await firstText(file, encoding))
  const head = (await firstRecords(file, { encoding, delimiter })).map(({ cells }) => cells)
  if (head.length === 0) throw new FileProblem('The file has no rows.')
  const withHeader = hasHeader(head)
  if (head.length === 1 && withHeader) throw new FileProblem('The file has column names, but no rows below them.')
  if (Math.max(...head.map((row) => row.length)) > mostColumns)
    throw new FileProblem(`The file has more than ${mostColumns} columns. Remove those that you do not need.`)
  return { encoding, delimiter, withHeader, head }
}

export const columnsOf = ({ head }: OpenedFile, withHeader: boolean): Column[] => guessColumns(head, withHeader)

async function firstText(file: Blob, encoding: OpenedFile['encoding']): Promise<string> {
  for await (const { text } of textOf(file.slice(0, 64 * 1024), encoding)) return text
  return ''
}

async function firstRecords(file: Blob, format: FileFormat): Promise<FileRecord[]> {
  const first: FileRecord[] = []
  for await (const { records } of recordsOf(file, format)) {
    first.push(...records.slice(0, headRecords - first.length))
    if (first.length === headRecords) break
  }
  return first
}
