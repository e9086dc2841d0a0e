import { dateTimeFormat } from './date-formats.ts'

const constant = new Intl.NumberFormat('en-US')
const plain = new Intl.NumberFormat()

/** Figures of plans have one grouping in every locale: `25,000`. */
export const formatConstant = (value: number): string => constant.format(value)

/** Formats any other count, grouped as in the person's locale. */
export const formatCount = (value: number): string => plain.format(value)

/** A share of 0–100 in whole percent: `72%`. */
export const formatPercent = (percent: number): string => `${Math.round(percent)}%`

/** `1 contact`, `3 contacts`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${plain.format(count)} ${count === 1 ? one : many}`

/**
 * An amount of money as the reader writes it.
 * @param micros millionths of the currency's unit.
 * @param options.exact with as many digits as it has: a price, and not a sum.
 */
export const formatMicros = (micros: number, currency: string, { exact = false } = {}): string =>
  new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    ...(exact && { maximumFractionDigits: 6 }),
  }).format(micros / 1_000_000)

/** An amount in units of its currency as the reader writes it; one without a currency is a plain number. */
export const formatAmount = (amount: number, currency: string | undefined): string =>
  currency ? new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount) : plain.format(amount)

/** `25 Nov 2026`. @param date `2026-11-25`, of whatever zone. */
export const formatDay = (date: string): string =>
  dateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date))

/** Returns every currency of ISO 4217 that is in use, by its code: `INR – Indian Rupee`. */
export function currencyOptions(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(undefined, { type: 'currency' })
  return Intl.supportedValuesOf('currency').map((value) => ({ value, label: `${value} – ${names.of(value) ?? value}` }))
}
