import type { Money } from '@parley/contracts/records'

/** `$99/month`: written alike in every locale. */
export function priceText({ amount, currency }: Money): string {
  const whole = amount % 100 === 0
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency, minimumFractionDigits: whole ? 0 : 2 })
  return `${format.format(amount / 100)}/month`
}
