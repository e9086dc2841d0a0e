import { dateAfter } from '@parley/contracts/core/zoned-time'
import { type AnalyticsPeriod, periodDays } from '@parley/contracts/platform/analytics'
import { dateTimeFormat } from '../../lib/date-formats.ts'

/** Labels of the period button. */
export const periodLabels: Readonly<Record<AnalyticsPeriod, string>> = {
  '7d': 'Last 7 Days',
  '30d': 'Last 30 Days',
  '90d': 'Last 90 Days',
}

/** Returns the days of a period until a last one: `9 – 15 Mar 2026`. */
export function daysText(period: AnalyticsPeriod, to: string, locale?: string): string {
  const at = (date: string) => new Date(`${date}T00:00:00Z`)
  const format = dateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' })
  return format.formatRange(at(dateAfter(to, 1 - periodDays[period])), at(to))
}

const before: Readonly<Record<AnalyticsPeriod, string>> = {
  '7d': 'the previous 7 days',
  '30d': 'last month',
  '90d': 'the previous 90 days',
}

/**
 * Returns how a figure changed: `12.5% more than last month`.
 * @param of.isPast the days end before today.
 */
export function changeText(
  changePercent: number | null,
  { period, isPast = false }: { period: AnalyticsPeriod; isPast?: boolean },
  locale?: string,
): string {
  const than = isPast ? `the ${periodDays[period]} days before` : before[period]
  if (changePercent === null) return `New: nothing to compare with ${than}`
  if (changePercent === 0) return `Same as ${than}`
  const amount = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(Math.abs(changePercent))
  return `${amount}% ${changePercent > 0 ? 'more' : 'less'} than ${than}`
}

/** A share of 0–100 with one decimal, so that those of a column stand under each other. */
export const rateText = (percent: number, locale?: string): string =>
  new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(
    percent / 100,
  )

/** A date as a day: `Mon`, or `Monday 16 November`. */
export const dayText = (date: string, length: 'short' | 'long', locale?: string): string =>
  dateTimeFormat(locale, {
    timeZone: 'UTC',
    weekday: length,
    ...(length === 'long' && { day: 'numeric', month: 'long' }),
  }).format(new Date(`${date}T00:00:00Z`))

/** Formulas of the figures, shown beside their names. */
export const formulas = {
  totalMessages: 'Messages that WhatsApp took from you and messages from customers, in these days.',
  messagesSent: 'Messages that WhatsApp took from you: sent, delivered or read. Failed and waiting ones do not count.',
  activeContacts: 'Contacts whose last message, in either direction, is of these days.',
  botInteractions: 'Conversations that a bot took over in these days.',
  campaigns:
    'Campaigns that were sending in these days, over their whole life. Opened are read messages, clicked are recipients who pressed a reply or visited a counted link, and the open rate is opened of delivered.',
  bots: 'Resolved are conversations that the bot ended and that no person took within 24 hours. The rate is resolved of all that it took over.',
} as const

/** A time in opening hours, rounded up: `5 min`, `1 h 20 min`. */
export function secondsText(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  if (minutes < 60) return `${minutes} min`
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}
