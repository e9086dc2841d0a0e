import { importLimits } from '@parley/contracts/import-files'
import { FileProblem } from './file-problem.ts'
import type { OpenFile } from './file-text.ts'
import type { FileRecord, Records } from './records.ts'
import { partsOf, readXml } from './xlsx-parts.ts'
import { dateStyles, firstSheet, sharedTexts } from './xlsx-workbook.ts'

/** Day 0 of workbooks, moved by the 29 February 1900 that they count and that never was. */
const dayZero = Date.UTC(1899, 11, 30)

/**
 * The rows of a workbook's first sheet, piece by piece; empty ones are left out. `line` is the row's number.
 * @throws FileProblem where it is no workbook, or has more columns than a file may have.
 */
export async function* xlsxRecords(open: OpenFile, sizeBytes: number): AsyncGenerator<Records> {
  const parts = await partsOf(open, sizeBytes)
  const sheet = await firstSheet(parts)
  const texts = await sharedTexts(parts)
  const dates = await dateStyles(parts)

  let records: FileRecord[] = []
  let line = 0
  let cells: string[] = []
  let column = 0
  let kind = ''
  let style = 0
  let value = ''
  let isValue = false

  const onOpen = (name: string, attributes: Readonly<Record<string, string>>) => {
    if (name === 'row') {
      line = attributes['r'] === undefined ? line + 1 : Number(attributes['r'])
      cells = []
      column = 0
    }
    if (name === 'c') {
      column = columnOf(attributes['r']) ?? column
      if (column > importLimits.columns)
        throw new FileProblem(
          `The file has more than ${importLimits.columns} columns. Remove those that you do not need.`,
        )
      kind = attributes['t'] ?? 'n'
      style = Number(attributes['s'] ?? 0)
      value = ''
    }
    isValue = name === 'v' || name === 't'
  }
  const onClose = (name: string) => {
    isValue = false
    if (name === 'c') {
      while (cells.length < column) cells.push('')
      cells[column] = textOf(kind, value, dates[style] === true, texts)
      column += 1
    }
    if (name === 'row' && cells.some((cell) => cell.trim() !== '')) records.push({ line, cells })
  }
  const onText = (text: string) => {
    if (isValue) value += text
  }
  for await (const bytes of readXml(sheet, { onOpen, onText, onClose })) {
    yield { records, bytes: Math.floor((bytes / Math.max(1, sheet.sizeBytes)) * sizeBytes) }
    records = []
  }
  yield { records, bytes: sizeBytes }
}

/** 0 for `A7`, 27 for `AB7`. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function textOf(kind: string, value: string, isDate: boolean, texts: readonly string[]): string {
  if (kind === 's') return texts[Number(value)] ?? ''
  if (kind === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (kind !== 'n' || value === '') return value
  const number = Number(value)
  if (Number.isNaN(number)) return value
  // Days up to the end of the year 9999.
  return isDate && number >= 0 && number < 2_958_466 ? dateOf(number) : String(number)
}

/** `2026-11-22`, with the time where it has one. */
function dateOf(days: number): string {
  const [day = '', time = ''] = new Date(dayZero + Math.round(days * 86_400) * 1000).toISOString().split('T')
  return days % 1 === 0 ? day : `${day} ${time.slice(0, 5)}`
}
