import { type CellFormat, masked } from './xlsx-formats.ts'
import { cellTextOf, type SharedTexts } from './xlsx-texts.ts'

/** A cell as its XML has it. */
export interface RawCell {
  /** `t`: `s` is a shared text, `b` a truth, `e` an error, `d` a date, `n` a number, others are texts. */
  readonly kind: string
  readonly value: string
  readonly format: CellFormat
}

/** The things that all cells of a workbook share. */
export interface CellContext {
  readonly texts: SharedTexts
  /** Day 0 is 1904-01-01, as spreadsheets of old Macs have it. */
  readonly is1904: boolean
}

/** The text of a cell as a person means it: dates in ISO 8601, numbers without exponent, errors empty. */
export function cellText({ kind, value, format }: RawCell, { texts, is1904 }: CellContext): string {
  if (kind === 's') return texts.get(Number(value))
  if (kind === 'b') return value === '1' || value === 'true' ? 'TRUE' : 'FALSE'
  if (kind === 'e') return ''
  if (kind === 'd') return isoText(value)
  if (kind !== 'n' || value === '') return cellTextOf(value)
  const number = Number(value)
  return Number.isNaN(number) ? cellTextOf(value) : numberText(value.trim(), format, is1904)
}

function numberText(written: string, format: CellFormat, is1904: boolean): string {
  const number = Number(written)
  if (format.kind === 'date') return dateText(number, is1904) ?? plainText(written)
  if (format.kind === 'time' && number >= 0 && number < maxDays) return timeText(number % 1)
  if (format.kind === 'duration' && number >= 0 && number < maxDays) return timeText(number)
  const text = plainText(written)
  return format.kind === 'mask' && /^\d+$/.test(text) ? masked(text, format.mask) : text
}

const decimals = new Intl.NumberFormat('en-US', { useGrouping: false, maximumSignificantDigits: 15 })

/** Spreadsheets calculate with 15 digits: 3.3000000000000003 is 3.3, and 1e-7 is written out. */
function plainText(written: string): string {
  if (/^-?[1-9]\d*$/.test(written)) return written
  const number = Number(written)
  return number === 0 ? '0' : decimals.format(number)
}

/** Days up to the end of the year 9999. */
const maxDays = 2_958_466
const minutesADay = 1440

/** `2026-11-22`, with the time where it has one: to the minute, because other programs store days some seconds off. */
function dateText(days: number, is1904: boolean): string | undefined {
  if (!(days >= 0 && days < maxDays)) return undefined
  const minutes = Math.round(days * minutesADay)
  const day = Math.floor(minutes / minutesADay)
  const time = minutes % minutesADay
  if (day === 0 && !is1904) return timeText(days)
  // Day 60 is a 29 February 1900 that never was, so the days after it are one too many.
  const zero = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, day < 60 ? 31 : 30)
  const text = new Date(zero + day * 86_400_000).toISOString().slice(0, 10)
  return time === 0 ? text : `${text} ${timeText(time / minutesADay)}`
}

/** `07:30`, `26:05:09`: hours, minutes, and seconds where there are some. */
function timeText(days: number): string {
  const seconds = Math.round(days * 86_400)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, ...(seconds % 60 ? [seconds % 60] : [])]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

/** Reads ISO 8601 as in cells of type `d`: the time is dropped where it is midnight. */
const isoText = (value: string): string =>
  value
    .trim()
    .replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d(\.\d+)?)?$/, (_, day: string, time: string) =>
      time === '00:00' ? day : `${day} ${time}`,
    )
