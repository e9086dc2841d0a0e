import type { Money } from '@parley/contracts/records'
import { dateTimeFormat } from '../../lib/date-formats.ts'

/** `$99/month`: the seed's own writing in every locale (readings 15). */
export function priceText({ amount, currency }: Money): string {
  const whole = amount % 100 === 0
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency, minimumFractionDigits: whole ? 0 : 2 })
  return `${format.format(amount / 100)}/month`
}

/** The day on which the next bill is due, where the person is. */
export const billingDate = (at: string, timeZone: string, locale?: string): string =>
  dateTimeFormat(locale, { timeZone, dateStyle: 'long' }).format(new Date(at))
