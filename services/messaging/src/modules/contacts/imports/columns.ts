import { type ImportColumn, type ImportTarget, singleTargets } from '@parley/contracts/contacts/import-files'
import { type CountryCode, phoneReadings } from '@parley/phone'
import { withoutMarks } from '@parley/phone/written-number'
import { type HeaderMeaning, meaningOf, plainHeader } from './header-names.ts'
import { numbersIn } from './phone-cells.ts'

/** Contents of a column, as far as the first rows show. */
interface Column {
  readonly index: number
  readonly header: string
  readonly meaning: HeaderMeaning | undefined
  readonly cells: readonly string[]
  /** Shares of its cells, 0 to 1: numbers that can exist, those with a plus, those that no other row has. */
  readonly valid: number
  readonly plus: number
  readonly distinct: number
}
type Guess = Pick<ImportColumn, 'target' | 'reason'>

/** Returns whether a cell has a phone number's count of digits and nothing else around them; no date and no amount. */
export const looksLikePhone = (cell: string): boolean =>
  numbersIn(cell).some((plain) => {
    const digits = plain.replace(/\D/g, '').length
    const isDate = /^\d{4}([-/. ])\d{1,2}\1\d{1,2}\b|^\d{1,2}([-/.])\d{1,2}\2\d{4}\b/.test(plain)
    return /^[+(\d][\d\s()./-]{6,24}$/.test(plain) && digits >= 7 && digits <= 15 && !isDate
  })

/**
 * Guesses what each column is: by the words of its header, among several of a kind by their cells. Other columns that have a
 * header become attributes.
 * @param headers one for each column; empty where it has none.
 * @param rows the first rows below them.
 * @param country of numbers that do not say theirs.
 */
export function guessColumns(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  country: CountryCode,
): ImportColumn[] {
  const columns = headers.map((header, index) => describe(header || mailHeader(index, rows), index, rows, country))
  const isOurs = ourExport.every((name, index) => plainHeader(headers[index] ?? '').startsWith(name))
  const guesses = isOurs ? ofOurExport(columns) : guessed(columns)
  return columns.map(({ index, header, cells }) => ({
    header: header || `Column ${index + 1}`,
    samples: [...new Set(cells)].slice(0, 3).map((cell) => cell.slice(0, 80)),
    ...(guesses.get(index) ?? { target: header === '' ? ('ignore' as const) : ('attribute' as const) }),
  }))
}

/** Addresses are known by themselves. */
function mailHeader(index: number, rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row[index]?.trim() ?? '').filter(Boolean)
  return cells.length > 0 && cells.every((cell) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell)) ? 'Email' : ''
}

function describe(header: string, index: number, rows: readonly (readonly string[])[], country: CountryCode): Column {
  const cells = rows.map((row) => row[index]?.trim() ?? '').filter(Boolean)
  const share = (count: number) => count / Math.max(1, cells.length)
  const isValid = (cell: string) =>
    looksLikePhone(cell) && numbersIn(cell, country).some((one) => isNumber(one, country))
  const named = meaningOf(header)
  const valid = share(cells.filter(isValid).length)
  // A "Contact" column holds names or numbers.
  const isNumbers = named?.kind === 'name' && cells.length > 0 && valid > 0.5
  return {
    index,
    header: withoutControls(header).trim().slice(0, 200),
    meaning: isNumbers ? { kind: 'phone', rank: 2, isInternational: false } : named,
    cells,
    valid,
    plus: share(cells.filter((cell) => withoutMarks(cell).replace(/^'/, '').startsWith('+')).length),
    distinct: share(new Set(cells).size),
  }
}

const isNumber = (text: string, country: CountryCode): boolean => Object.keys(phoneReadings(text, country)).length > 0
const withoutControls = (text: string) => text.replaceAll(/\p{Cf}/gu, '').replaceAll(/\s+/g, ' ')

function guessed(columns: readonly Column[]): Map<number, Guess> {
  const guesses = new Map<number, Guess>()
  for (const { index, header, meaning } of columns) {
    const guess = byMeaning(meaning, header)
    if (guess) guesses.set(index, guess)
  }
  const phones = phoneColumns(columns)
  for (const [at, { index, header, meaning, cells, valid }] of phones.entries()) {
    const share = `${Math.round(valid * cells.length)} of the first ${cells.length} cells are valid numbers`
    const found = meaning ? `“${header}” names ${kindOf(meaning)}; ${share}.` : `Its cells are numbers: ${share}.`
    guesses.set(
      index,
      at === 0
        ? { target: 'phone', reason: found.slice(0, 200) }
        : {
            target: 'other_phone',
            reason: `Used where ${phones[0]?.header.slice(0, 60) || 'the first one'} has no valid number, else kept as a detail.`,
          },
    )
  }
  nameColumns(columns, guesses)
  for (const target of singleTargets) keepFirst(guesses, target)
  return guesses
}

/** Keeps the first column of a single target (user id, tags, consent, calling code): a second one is a detail. */
function keepFirst(guesses: Map<number, Guess>, target: ImportTarget): void {
  const [, ...others] = [...guesses].filter(([, guess]) => guess.target === target)
  for (const [index] of others) guesses.set(index, { target: 'attribute' })
}

function byMeaning(meaning: HeaderMeaning | undefined, header: string): Guess | undefined {
  if (/^(last contact|added) \(.*\)$/i.test(header)) return { target: 'ignore', reason: 'Said by Parley’s own export.' }
  const reason = `The column is called “${header.slice(0, 60)}”.`
  switch (meaning?.kind) {
    case 'user_id':
    case 'tags':
    case 'consent':
      return { target: meaning.kind, reason }
    case 'calling_code':
      return { target: 'calling_code', reason: 'Goes before numbers that do not say their country.' }
    case 'phone_label':
      return { target: 'ignore', reason: 'Says of each row what kind of number stands beside it.' }
    default:
      return undefined
  }
}

/** The best one first. Ties of the header's words are decided by content. */
function phoneColumns(columns: readonly Column[]): Column[] {
  const named = columns.flatMap((column) => {
    const { meaning, cells, valid } = column
    if (meaning?.kind !== 'phone') return []
    // A phone may also be a product that was bought.
    const isElse = cells.length > 0 && valid === 0 && !cells.some((cell) => cell.replace(/\D/g, '').length > 4)
    return isElse ? [] : [{ column, rank: meaning.rank }]
  })
  const content = ({ plus, valid, distinct }: Column) => plus + valid + distinct / 2
  if (named.length > 0)
    return named
      .sort((a, b) => a.rank - b.rank || content(b.column) - content(a.column) || a.column.index - b.column.index)
      .map(({ column }) => column)
  const unnamed = columns.filter(({ meaning, cells }) => meaning === undefined && cells.some(looksLikePhone))
  return unnamed.sort((a, b) => content(b) - content(a) || a.index - b.index).slice(0, 1)
}

function kindOf(meaning: HeaderMeaning): string {
  const rank = meaning.kind === 'phone' ? Math.floor(meaning.rank) : 2
  return (
    ['a WhatsApp number', 'a mobile number', 'a phone number', 'a number at home or work'][rank] ?? 'somebody’s number'
  )
}

function nameColumns(columns: readonly Column[], guesses: Map<number, Guess>): void {
  const named = columns.filter(({ index, meaning }) => meaning?.kind === 'name' && !guesses.has(index))
  // The same words after a qualifier ("Billing first name") count where there are none without.
  const unqualified = named.filter(({ header }) => !/^(billing|primary|lead|recipient)\b/.test(plainHeader(header)))
  const chosen = unqualified.length > 0 ? unqualified : named
  const isPart = ({ meaning }: Column) => meaning?.kind === 'name' && meaning.part !== 'full' && meaning.part !== 'bare'
  const wholes = chosen.filter((column) => !isPart(column))
  for (const column of chosen) {
    if (!isPart(column) && column !== wholes[0]) continue
    const reason =
      wholes.length > 0 && isPart(column)
        ? `Part of the name: counts where ${wholes[0]?.header.slice(0, 60)} does not have it.`
        : `The column is called “${column.header.slice(0, 60)}”.`
    guesses.set(column.index, { target: 'name', reason })
  }
  if (chosen.length > 0) return
  const byContent = columns.find(
    ({ index, header, cells }) =>
      !guesses.has(index) && header === '' && cells.length > 0 && cells.every((cell) => /\p{L}/u.test(cell)),
  )
  if (byContent) guesses.set(byContent.index, { target: 'name', reason: 'The first column with words.' })
}

/** The columns of our own export; behind them stand attributes, whatever they are called. */
const ourExport = ['name', 'phone', 'tags', 'last contact', 'added', 'whats app user id']
const ourTargets: readonly ImportTarget[] = ['name', 'phone', 'tags', 'ignore', 'ignore', 'user_id']

const ofOurExport = (columns: readonly Column[]): Map<number, Guess> =>
  new Map(
    columns.map(({ index }) => [
      index,
      { target: ourTargets[index] ?? 'attribute', reason: 'A column of Parley’s own export.' },
    ]),
  )
