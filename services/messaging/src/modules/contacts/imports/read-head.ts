import { createHash } from 'node:crypto'
import { maxHeaderRow } from '@parley/contracts/contacts/import-files'
import type { CountryCode } from '@parley/phone'
import { errors } from '@parley/service-kit/core/errors'
import type { createMediaFiles } from '@parley/service-kit/media/media-files'
import { FileProblem, type OpenFile } from './file-text.ts'
import type { ImportRecord } from './imports.model.ts'
import { inspectFile } from './inspect-file.ts'
import { columnsOf, type ReadingChoices } from './open-file.ts'

export const fileGone = 'The file was deleted. Choose it again.'

/** Returns what a record keeps of the beginning of its file. @throws FileProblem where there is nothing in it to import. */
export async function readHead(open: OpenFile, name: string, sizeBytes: number, choices?: ReadingChoices) {
  const opened = await inspectFile(open, { name, sizeBytes, choices })
  const { format, headerRow, head, encodings, sheets } = opened
  const firstRows = head.slice(0, maxHeaderRow).map(({ line, cells }) => ({
    line,
    text: cells
      .map((cell) => cell.trim())
      .filter(Boolean)
      .join(' · ')
      .slice(0, 160),
  }))
  const headerKey = keyOf(head[headerRow - 1]?.cells ?? [])
  return { opened, format, headerRow, headerKey, firstRows, encodings: [...encodings], sheets: [...sheets] }
}

/**
 * Reads the beginning of a stored file in another encoding, or with other column names.
 * @throws `wrong_state` where it was deleted, `validation_failed` where it cannot be read in this way.
 */
export async function readAnew(
  files: Pick<ReturnType<typeof createMediaFiles>, 'read'>,
  record: ImportRecord,
  { encoding, headerRow, sheet, country }: ReadingChoices & { readonly country?: string | undefined },
) {
  const { fileId = '', format, fileName, sizeBytes } = record
  const found = await files.read(record, fileId)
  if (!found) throw errors.wrongState(fileGone)
  const kept = format.kind === 'xlsx' ? { sheet: format.sheet } : { encoding: format.encoding }
  const choices = {
    ...kept,
    ...(encoding !== undefined && { encoding }),
    // Another sheet has other column names.
    ...(sheet === undefined ? { headerRow: headerRow ?? record.headerRow } : { sheet, headerRow }),
  }
  try {
    const { opened, ...reading } = await readHead(found.open, fileName, sizeBytes, choices)
    return { columns: columnsOf(opened, (country ?? record.country) as CountryCode), reading }
  } catch (error) {
    throw asValidation(error)
  }
}

/** Returns the problem of a file as the error that its uploader sees. */
export const asValidation = (error: unknown): unknown =>
  error instanceof FileProblem ? errors.validation({ file: error.message }) : error

const keyOf = (header: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(header)).digest('base64url').slice(0, 22)
