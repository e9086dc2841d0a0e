import type { ImportFormat } from '@parley/contracts/contacts/import-files'
import { cellText } from '@parley/rules/csv-cells'
import { AppError } from '@parley/service-kit/core/errors'
import type { Trace } from '../../../platform/person.ts'
import type { OpenFile } from './file-text.ts'
import { recordsOf } from './open-file.ts'
import { partsOf, readXml, type WorkbookPart } from './xlsx-parts.ts'
import { cellTextOf, createTextReader } from './xlsx-texts.ts'

/**
 * Returns whether a stored table has a cell of a person, on any sheet. One that cannot be read counts as one that has.
 * @throws what the store of files throws.
 */
export async function isInTable(
  open: OpenFile,
  { format, sizeBytes }: { format: ImportFormat; sizeBytes: number },
  trace: Trace,
): Promise<boolean> {
  let failure: { readonly error: unknown } | undefined
  const noting: OpenFile = async function* (range) {
    try {
      yield* open(range)
    } catch (error) {
      failure = { error }
      throw error
    }
  }
  try {
    const cells = format.kind === 'xlsx' ? workbookTexts(noting, sizeBytes) : tableCells(noting, format, sizeBytes)
    for await (const cell of cells) if (trace.inCell(cell)) return true
    return false
  } catch {
    // A database that is away is no fault of the file.
    if (failure && !isLost(failure.error)) throw failure.error
    return true
  }
}

/** Returns whether a part of the file is gone, or all of it: no further try finds it. */
const isLost = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'MongoGridFSChunkError' || (error instanceof AppError && error.code === 'not_found'))

async function* tableCells(open: OpenFile, format: ImportFormat, sizeBytes: number): AsyncGenerator<string> {
  for await (const { records } of recordsOf(open, format, sizeBytes))
    for (const { cells } of records) yield* cells.map((cell) => cellText(cell.trim()))
}

/** Texts of cells, comments and links of all sheets, hidden ones too. */
async function* workbookTexts(open: OpenFile, sizeBytes: number): AsyncGenerator<string> {
  for (const part of (await partsOf(open, sizeBytes)).values()) yield* textsOf(part)
}

/** Elements that hold a whole text, perhaps in runs: a shared one, an inline one, a comment, the value of a cell. */
const whole = new Set(['si', 'is', 'comment', 'v'])

async function* textsOf(part: WorkbookPart): AsyncGenerator<string> {
  let texts: string[] = []
  const text = createTextReader()
  const onOpen = (name: string, { Target }: Readonly<Record<string, string>>) => {
    if (Target !== undefined) texts.push(Target)
    if (whole.has(name)) text.begin()
    text.onOpen(name)
  }
  const onClose = (name: string) => {
    text.onClose(name)
    if (!whole.has(name)) return
    const written = cellTextOf(text.written())
    texts.push(/^\d+(\.\d+)?E\+?\d+$/i.test(written) ? String(Number(written)) : written)
  }
  for await (const _ of readXml(part, { onOpen, onText: text.onText, onClose })) {
    yield* texts
    texts = []
  }
  yield* texts
}
