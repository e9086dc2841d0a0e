import type { AnalyticsPeriod } from '@parley/contracts/platform/analytics'
import { dateTimeFormat } from '../../lib/date-formats.ts'

/** Labels of the period button. */
export const periodLabels: Readonly<Record<AnalyticsPeriod, string>> = {
  '7d': 'Last 7 Days',
  '30d': 'Last 30 Days',
  '90d': 'Last 90 Days',
}

const before: Readonly<Record<AnalyticsPeriod, string>> = {
  '7d': 'the previous 7 days',
  '30d': 'last month',
  '90d': 'the previous 90 days',
}

/** Returns how a figure changed: `12.5% more than last month`. */
export function changeText(changePercent: number, period: AnalyticsPeriod, locale?: string): string {
  if (changePercent === 0) return `Same as ${before[period]}`
  const amount = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(Math.abs(changePercent))
  return `${amount}% ${changePercent > 0 ? 'more' : 'less'} than ${before[period]}`
}

/** A share of 0–100 with one decimal, so that those of a column stand under each other. */
export const rateText = (percent: number, locale?: string): string =>
  new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(
    percent / 100,
  )

/** The day of a bucket, which begins at midnight UTC: `Mon`, or `Monday 16 November`. */
export const dayText = (at: string, length: 'short' | 'long', locale?: string): string =>
  dateTimeFormat(locale, {
    timeZone: 'UTC',
    weekday: length,
    ...(length === 'long' && { day: 'numeric', month: 'long' }),
  }).format(new Date(at))
