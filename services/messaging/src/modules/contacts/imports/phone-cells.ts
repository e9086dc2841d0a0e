import { type CountryCode, callingCodes, type DigitsReading, parsePhone, phoneReadings } from '@parley/phone'
import { otherForms } from '@parley/phone/line'
import { isBareDigits, isShortened, plainNumber } from '@parley/phone/written-number'
import { meaningOf, plainHeader, rankOfLabel } from './header-names.ts'
import type { PlannedColumn } from './import-plan.ts'

/** A column with phone numbers, as a plan has it. */
export interface PhoneColumn {
  readonly index: number
  /** The smaller, the sooner it is tried. */
  readonly rank: number
  /** The column that says of each row what kind of number this is. */
  readonly labelIndex: number | undefined
  readonly isInternational: boolean
}

/** Digits without a plus that may be two different numbers. */
export interface UnclearNumber {
  readonly written: string
  readonly national: string
  readonly international: string
}

/** Result of the phone columns of one row. */
export interface RowPhone {
  readonly phone?: string
  /** Number as it is in the file: the accepted one, or the first that is invalid. */
  readonly written: string
  /** Further numbers of the cell from which the phone was taken. */
  readonly others: readonly string[]
  /** Cells of other phone columns, which are kept as details. */
  readonly places: readonly number[]
  /** Reason why there is none. */
  readonly reason?: string
  /** Set where it may be two different numbers. */
  readonly unclear?: UnclearNumber | undefined
  /** Set for a number that cannot exist by today's rules, but that a contact may be stored under. */
  readonly unproven?: true
}

/** Returns the columns in the order in which they are tried: the chosen one first, then the others by their headers. */
export function phoneColumnsOf(columns: readonly PlannedColumn[]): PhoneColumn[] {
  const labels = new Map(columns.map(({ header }, index) => [plainHeader(header), index]))
  return columns
    .flatMap(({ header, target }, index) => {
      if (target !== 'phone' && target !== 'other_phone') return []
      const meaning = meaningOf(header)
      const stem = /^(.*) value$/.exec(plainHeader(header))?.[1]
      const labelIndex = stem === undefined ? undefined : (labels.get(`${stem} label`) ?? labels.get(`${stem} type`))
      const rank = target === 'phone' ? -1 : meaning?.kind === 'phone' ? meaning.rank : 2
      return [{ index, rank, labelIndex, isInternational: meaning?.kind === 'phone' && meaning.isInternational }]
    })
    .sort((a, b) => a.rank - b.rank)
}

interface Reading {
  readonly country: CountryCode
  /** Reading of digits that may be two numbers, by column; absent where it is unknown. */
  readonly digits: ReadonlyMap<number, DigitsReading>
  readonly callingCode: string
}

/** Tries the numbers of a row, column by column, until one can exist. */
export function readRowPhone(
  columns: readonly PhoneColumn[],
  textAt: (index: number) => string,
  { country, digits, callingCode }: Reading,
): RowPhone {
  const filled = columns
    .map(({ index, rank, labelIndex, isInternational }) => {
      const label = labelIndex === undefined ? '' : textAt(labelIndex)
      // Cells with a label stand side by side: the label alone says which of them is meant.
      return { index, text: textAt(index), rank: label === '' ? rank : rankOfLabel(label), isInternational }
    })
    .filter(({ text }) => text !== '')
  const tried = filled
    .flatMap(({ rank, ...cell }) => (rank === undefined ? [] : [{ ...cell, rank }]))
    .sort((a, b) => a.rank - b.rank)
  const placesBeside = (index: number) => filled.map((one) => one.index).filter((one) => one !== index)
  const ofCode = countryOfCode(callingCode)
  const failed: RowPhone[] = []
  for (const { index, text, isInternational } of tried) {
    const isCertain = ofCode !== undefined || isInternational
    const reading = [ofCode ?? country, ofCode ? 'national' : digits.get(index)] as const
    const candidates = numbersIn(text, ...reading)
    const found = candidates.map((one) => readNumber(one, ...reading))
    const at = found.findIndex(({ phone, unclear }) => phone !== undefined || unclear)
    const read = found[at]
    const others = candidates.filter((_, other) => other !== at)
    if (read)
      return { ...read, ...(isCertain && { unclear: undefined }), written: text, others, places: placesBeside(index) }
    const reason = found.find((one) => one.reason)?.reason ?? reasonOf(text)
    failed.push({ ...unusual(text), written: text, others: [], places: placesBeside(index), reason })
  }
  return failed.find(({ phone }) => phone !== undefined) ?? failed[0] ?? { written: '', others: [], places: [] }
}

type Place = CountryCode | `+${string}`

function readNumber(
  text: string,
  country: Place | undefined,
  digits: DigitsReading | undefined,
): Pick<RowPhone, 'phone' | 'unclear' | 'reason'> {
  const { national, international } = phoneReadings(text, country)
  // A digit too many makes a number of a far country out of one of the own.
  if (international && digits === 'national' && isBareDigits(plainNumber(text)) && !parsePhone(text, country))
    return { reason: `This number does not exist in the country. Write +${text} if it begins with a country code.` }
  if (!national || !international) {
    const phone = (national ?? international)?.e164
    return phone === undefined ? {} : { phone }
  }
  const unclear = { written: text, national: national.international, international: international.international }
  if (digits) return { phone: (digits === 'national' ? national : international).e164, unclear }
  const reason = `This may be ${unclear.national} or ${unclear.international}. Choose how digits without a plus are read.`
  return { unclear, reason }
}

/**
 * Returns a number with its country that is not dialled (any more): a contact may be stored under it, or under its form of today.
 */
function unusual(text: string): Pick<RowPhone, 'phone' | 'unproven'> | undefined {
  const plain = plainNumber(text).replaceAll(/[\s()./-]/g, '')
  return /^\+[1-9]\d{6,14}$/.test(plain) ? { phone: plain, unproven: true } : undefined
}

/** The form of a number that can exist, where it is written in another one. */
export const provenForm = (phone: string): string | undefined => otherForms(phone).find((form) => parsePhone(form))

const reasonOf = (written: string): string =>
  isShortened(written)
    ? 'A spreadsheet has shortened this number. Format its column as text and save the file again.'
    : 'This is not a valid phone number.'

/**
 * The numbers of one cell: the whole of it where it is one, else its parts. The other ending of a second number
 * (`9876543210/11`) is a part that is none, where the first number can exist.
 * @param country of numbers that do not say theirs.
 * @param digits how the column's digits without a plus are read.
 */
export function numbersIn(cell: string, country?: Place, digits?: DigitsReading): string[] {
  const whole = plainNumber(cell)
  // A slash may stand inside of a number (030/1234567): two of them are longer than one can be.
  const isOne = /^[+(]?[\d ()./-]*$/.test(whole) && whole.replace(/\D/g, '').length <= 15
  if (isOne) return withoutEnding(whole, country, digits)
  if (!/:::|[;,/|\n]| (?:or|und|and|ou|o|y) /.test(cell)) return [whole]
  const parts = cell
    .split(/:::|[;,/|\n]+| (?:or|und|and|ou|o|y) /)
    .map(plainNumber)
    .filter((part) => /\d{3}/.test(part))
  return parts.length > 0 ? parts.slice(0, maxNumbersInCell) : [whole]
}

function withoutEnding(whole: string, country: Place | undefined, digits: DigitsReading | undefined): string[] {
  const [, before = '', sign = '', ending = ''] = /^(.*\d) *([/-]) *(\d+)$/.exec(whole) ?? []
  // Several dashes group the digits of one number.
  if (before === '' || (sign === '-' && before.includes('-'))) return [whole]
  const canExist = (text: string) => readNumber(text, country, digits ?? 'national').phone !== undefined
  // A dash may stand before an extension (030 1234567-12), which is dialled as a part of the number.
  if (canExist(whole) && (sign === '-' || ending.length > maxEnding)) return [whole]
  const [first = '', ...others] = withoutEnding(before, country, digits)
  return canExist(first) ? [first, ...others, `${sign}${ending}`] : [whole]
}
const maxEnding = 4
const maxNumbersInCell = 10

/** `91`, `+91`, `0091` or `IN`. */
function countryOfCode(cell: string): CountryCode | `+${string}` | undefined {
  const codes = callingCodesOnce()
  const letters = /^[A-Za-z]{2}$/.exec(cell)?.[0]?.toUpperCase()
  if (letters !== undefined) return codes.find(({ country }) => country === letters)?.country
  const digits = /^\+?(\d{1,4})$/.exec(plainNumber(cell))?.[1]
  return codes.some(({ callingCode }) => callingCode === `+${digits}`) ? `+${digits}` : undefined
}

let known: ReturnType<typeof callingCodes> | undefined
const callingCodesOnce = () => {
  known ??= callingCodes()
  return known
}
