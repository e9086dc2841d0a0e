import type { Money } from '@parley/contracts/records'

/** `$99/month`: the seed's own writing in every locale (readings 15). */
export function priceText({ amount, currency }: Money): string {
  const whole = amount % 100 === 0
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency, minimumFractionDigits: whole ? 0 : 2 })
  return `${format.format(amount / 100)}/month`
}
