const number = new Intl.NumberFormat('en-US')
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** A count as texts of the server have it, whoever reads them: `25,000`. */
export const countOf = (value: number): string => number.format(value)

/** `Dec 9, 2026` of a date as contracts write it: `2026-12-09`. */
export const dayOf = (date: string): string => day.format(new Date(date))
