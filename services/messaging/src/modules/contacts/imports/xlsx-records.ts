import { importLimits } from '@parley/contracts/contacts/import-files'
import { FileProblem, type OpenFile } from './file-text.ts'
import { type FileRecord, maxRecordLength, type Records } from './records.ts'
import { type CellContext, cellText } from './xlsx-cells.ts'
import { type CellFormat, plainNumber } from './xlsx-formats.ts'
import { partsOf, readXml, type WorkbookPart } from './xlsx-parts.ts'
import { createTextReader, sharedLimits, sharedTexts } from './xlsx-texts.ts'
import { chosenSheet, formatsOf, workbookOf } from './xlsx-workbook.ts'

/** Names of a workbook's sheets that people see, in the order of their tabs. @throws FileProblem where it is no workbook. */
export async function xlsxSheets(open: OpenFile, sizeBytes: number): Promise<string[]> {
  const { sheets } = await workbookOf(await partsOf(open, sizeBytes))
  return sheets.filter(({ isHidden }) => !isHidden).map(({ name }) => name)
}

/**
 * The rows of a sheet, piece by piece; empty ones are left out. `line` is the row's number.
 * @param sheet by its name; else the first one that people see.
 * @throws FileProblem where it is no workbook, or has more columns than a file may have.
 */
export async function* xlsxRecords(open: OpenFile, sizeBytes: number, sheet?: string): AsyncGenerator<Records> {
  const { part, context, texts } = await openSheet(open, sizeBytes, sheet)
  const all = { ...context, texts: await sharedTexts(texts) }
  for await (const { records, bytes } of rowsOf(part, all))
    yield { records, bytes: Math.floor((bytes / Math.max(1, part.sizeBytes)) * sizeBytes) }
}

/** The first rows of a sheet, without reading more of the shared texts than they name. */
export async function firstXlsxRecords(
  open: OpenFile,
  sizeBytes: number,
  { sheet, max }: { sheet?: string | undefined; max: number },
): Promise<FileRecord[]> {
  const { part, context, texts } = await openSheet(open, sizeBytes, sheet)
  for (let needed = 0; ; ) {
    const known = await sharedTexts(texts, needed)
    let missing = 0
    const get = (index: number) => {
      if (index >= known.count && known.count >= needed) missing = Math.max(missing, index + 1)
      return known.get(index)
    }
    const first: FileRecord[] = []
    for await (const { records } of rowsOf(part, { ...context, texts: { count: known.count, get } })) {
      first.push(...records.slice(0, max - first.length))
      if (first.length === max || missing > 0) break
    }
    if (missing <= needed || needed === sharedLimits.texts) return first
    needed = Math.min(missing * 2, sharedLimits.texts)
  }
}

interface SheetContext extends Omit<CellContext, 'texts'> {
  readonly formats: readonly CellFormat[]
}

async function openSheet(open: OpenFile, sizeBytes: number, sheet: string | undefined) {
  const workbook = await workbookOf(await partsOf(open, sizeBytes))
  const context: SheetContext = { is1904: workbook.is1904, formats: await formatsOf(workbook) }
  return { part: chosenSheet(workbook, sheet).part, context, texts: workbook.texts }
}

/** The rows of a sheet's XML. */
async function* rowsOf(part: WorkbookPart, context: SheetContext & CellContext): AsyncGenerator<Records> {
  let records: FileRecord[] = []
  let line = 0
  let cells: string[] = []
  let length = 0
  let column = 0
  let kind = ''
  let format = plainNumber
  const value = createTextReader()

  function onOpen(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'row') {
      line = rowOf(attributes['r']) ?? line + 1
      cells = []
      length = 0
      column = 0
    } else if (name === 'c') {
      column = columnOf(attributes['r']) ?? column
      kind = attributes['t'] ?? 'n'
      format = context.formats[Number(attributes['s'] ?? 0)] ?? plainNumber
      value.begin()
    }
    value.onOpen(name)
  }
  function onClose(name: string): void {
    value.onClose(name)
    if (name === 'c') {
      addCell(cellText({ kind, value: value.written(), format }, context))
      column += 1
    }
    if (name === 'row' && cells.some((cell) => cell.trim() !== '')) records.push({ line, cells })
  }
  function addCell(text: string): void {
    // Cells that only have a colour may reach to the last column.
    if (text === '') return
    if (column >= importLimits.columns)
      throw new FileProblem(
        `The file has more than ${importLimits.columns} columns. Remove those that you do not need.`,
      )
    length += text.length
    if (length > maxRecordLength)
      throw new FileProblem(`Row ${line} is too long. Shorten it and choose the file again.`)
    while (cells.length < column) cells.push('')
    cells[column] = text
  }
  for await (const bytes of readXml(part, { onOpen, onText: value.onText, onClose })) {
    yield { records, bytes }
    records = []
  }
  yield { records, bytes: part.sizeBytes }
}

const rowOf = (written: string | undefined): number | undefined =>
  /^[1-9]\d{0,9}$/.test(written ?? '') ? Number(written) : undefined

/** Returns the column index of a cell's address: 0 for `A7`, 27 for `AB7`. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/i.exec(reference ?? '')?.[0].toUpperCase()
  if (letters === undefined) return undefined
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
