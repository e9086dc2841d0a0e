import type { Trend } from '@parley/contracts/platform/dashboard'

const since = { yesterday: 'yesterday', last_week: 'last week', last_month: 'last month' } as const

/** Describes a stat card's change: `12.5% more than last month`. */
export function trendText({ change, unit, since: period }: Trend, locale?: string): string {
  if (change === null) return `New: nothing to compare with ${since[period]}`
  if (change === 0) return `Same as ${since[period]}`
  const amount = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(Math.abs(change))
  const direction = change > 0 ? 'more' : 'fewer'
  if (unit === 'points') return `${amount} points ${change > 0 ? 'above' : 'below'} ${since[period]}`
  if (unit === 'percent') return `${amount}% ${change > 0 ? 'more' : 'less'} than ${since[period]}`
  return `${amount} ${direction} than ${since[period]}`
}
