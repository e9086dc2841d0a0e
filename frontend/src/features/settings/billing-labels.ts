import type { Money } from '@parley/contracts/core/records'
import type { Usage } from '@parley/contracts/usage/usage'
import { formatConstant, formatDay } from '../../lib/format.ts'

/** `$99/month`: written alike in every locale. */
export function priceText({ amount, currency }: Money): string {
  const whole = amount % 100 === 0
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency, minimumFractionDigits: whole ? 0 : 2 })
  return `${format.format(amount / 100)}/month`
}

type OwnPlan = NonNullable<NonNullable<Usage['sample']>['ownPlan']>

/** Tells the end of a trial: `ends on 9 Dec 2026`. */
export const endText = ({ to, ended }: Pick<OwnPlan, 'to' | 'ended'>): string =>
  `${ended ? 'ended' : 'ends'} on ${formatDay(to)}`

/** Describes which part of the usage belongs to the sample data; undefined for none. */
export const samplePart = (used: number | undefined): string | undefined =>
  used ? `${formatConstant(used)} of them are sample data` : undefined
