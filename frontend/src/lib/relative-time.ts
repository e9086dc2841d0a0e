import { dateTimeFormat } from './date-formats.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** `4 min ago` up to a day, the date after that; the future counts as now. */
export function relativeTime(at: Date, now: Date, timeZone: string, locale?: string): string {
  const passedMs = now.getTime() - at.getTime()
  if (passedMs < minuteMs) return 'Just now'
  if (passedMs < hourMs) return `${Math.floor(passedMs / minuteMs)} min ago`
  if (passedMs < dayMs) return `${Math.floor(passedMs / hourMs)} h ago`
  return dateTimeFormat(locale, { timeZone, dateStyle: 'medium' }).format(at)
}

/** Returns date, time and zone in full. */
export const fullTime = (at: Date, timeZone: string, locale?: string): string =>
  dateTimeFormat(locale, {
    timeZone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at)

/** `Mon 30 Nov, 09:00` in the style of the locale: a time that is near. */
export const shortTime = (at: Date, timeZone: string, locale?: string): string =>
  dateTimeFormat(locale, {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  }).format(at)
