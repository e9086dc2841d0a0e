const number = new Intl.NumberFormat('en-US')
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** Formats a count for texts of the server, independent of the reader: `25,000`. */
export const countOf = (value: number): string => number.format(value)

/** `$1,250.00`. @param micros millionths of the currency's unit (ISO 4217). */
export const sumOfMoney = (micros: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(micros / 1_000_000)

/** `Dec 9, 2026` of a date as contracts write it: `2026-12-09`. */
export const dayOf = (date: string): string => day.format(new Date(date))

/** `Nov 27, 2026, 2:05 PM GMT+5:30`: a moment by the clock of a zone. */
export const momentLabels = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at)
