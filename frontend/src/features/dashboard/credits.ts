/** Credits of this period, as the bar shows them. */
export interface CreditUsage {
  readonly used: number
  readonly limit: number
  readonly resetsAt: string
}

const dayMs = 86_400_000

/** Credits left in this period; never below zero. */
export const creditsRemaining = ({ used, limit }: Pick<CreditUsage, 'used' | 'limit'>): number =>
  Math.max(0, limit - used)

/** Share used in percent, 0–100, for the bar. */
export const creditsUsedPercent = ({ used, limit }: Pick<CreditUsage, 'used' | 'limit'>): number =>
  Math.min(100, (used / limit) * 100)

/** `resets in 12 days`, or when a trial ends: a day that has begun counts. */
export function resetText(
  { resetsAt }: Pick<CreditUsage, 'resetsAt'>,
  now: Date,
  what: 'resets' | 'ends' = 'resets',
): string {
  const days = Math.ceil((Date.parse(resetsAt) - now.getTime()) / dayMs)
  if (days <= 0) return `${what} today`
  return days === 1 ? `${what} in 1 day` : `${what} in ${days} days`
}
