import { looksLikePhone } from './columns.ts'
import { meaningOf } from './header-names.ts'

type Cells = readonly string[]

/**
 * Returns the row that names the columns: the one above all numbers with the most words that are known; where none is known, the
 * last one above the first number. Rows above it are a title.
 * @returns from 1; 0 where the file begins with people.
 */
export function headerRowOf(rows: readonly Cells[]): number {
  const firstData = rows.findIndex((cells) => filled(cells) > 1 && cells.some(looksLikePhone))
  const above = firstData === -1 ? rows : rows.slice(0, firstData)
  let best = { row: 0, known: 0 }
  for (const [index, cells] of above.entries()) {
    const known = knownWords(cells)
    if (known > best.known) best = { row: index + 1, known }
  }
  if (best.known > 0) return best.row
  const alone = rows.findIndex((cells) => cells.some(looksLikePhone))
  const data = firstData === -1 ? alone : firstData
  return Math.max(0, data)
}

const filled = (cells: Cells): number => cells.filter((cell) => cell.trim() !== '').length

/** Counts different meanings, so that a data row with one such word does not count as a header. */
function knownWords(cells: Cells): number {
  if (cells.some(looksLikePhone)) return 0
  const meanings = cells.flatMap((cell) => (cell.length > 80 ? [] : (meaningOf(cell) ?? [])))
  const isNamed = meanings.some(({ kind }) => kind === 'phone' || kind === 'name' || kind === 'user_id')
  return isNamed || meanings.length > 1 ? meanings.length : 0
}

/**
 * The names of the columns, one for each column of the rows below. Some programs write a column of row names and no name for
 * it: then all others stand one place further left than their cells.
 * @param headerRow from 1; 0 where the file has no names.
 */
export function headersOf(rows: readonly Cells[], headerRow: number): string[] {
  const header = headerRow === 0 ? undefined : rows[headerRow - 1]
  const below = rows.slice(headerRow)
  const wide = (width: number) => below.filter((cells) => widthOf(cells) > width).length
  if (!header) return Array.from({ length: maxOf(below.map(widthOf)) }, () => '')
  const names = header.slice(0, Math.max(widthOf(header), 1))
  // A wider row here and there has a cell too many; where most are, it is a column without a name.
  if (below.length === 0 || wide(header.length) * 2 <= below.length) return [...header]
  if (hasRowNames(names, below)) return ['', ...names]
  const width = maxOf(below.map(widthOf))
  return Array.from({ length: width }, (_, index) => names[index] ?? '')
}

function hasRowNames(names: Cells, below: readonly Cells[]): boolean {
  if (below.some((cells) => widthOf(cells) > names.length + 1)) return false
  const isPhone = (name: string) => meaningOf(name)?.kind === 'phone'
  const phoneIndex = names.findIndex(isPhone)
  const numbersAt = (at: number) => below.filter((cells) => looksLikePhone(cells[at] ?? '')).length
  if (phoneIndex !== -1) return numbersAt(phoneIndex + 1) > numbersAt(phoneIndex)
  return (
    new Set(below.map(([first]) => first)).size === below.length && below.every(([first]) => /^\d+$/.test(first ?? ''))
  )
}

/** Returns the number of cells up to the last one that is not empty. */
const widthOf = (cells: Cells): number => cells.findLastIndex((cell) => cell.trim() !== '') + 1
const maxOf = (numbers: readonly number[]): number => numbers.reduce((most, one) => Math.max(most, one), 0)
