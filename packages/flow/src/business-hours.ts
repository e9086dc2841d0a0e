import type { BusinessHours } from '@parley/contracts/automation/bot-settings'
import { wallTimeOf } from '@parley/contracts/core/zoned-time'

/** True if `Intl` knows the IANA time zone. */
export function isTimeZone(timeZone: string): boolean {
  try {
    wallTimeOf(new Date(0), timeZone)
    return true
  } catch {
    return false
  }
}

const dayMs = 86_400_000
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs

/**
 * True if the business is open at this time. `to` is the first minute after closing time; a span that ends before it begins
 * runs over midnight and belongs to the day on which it began, as a closed day does; the same time twice is the whole day.
 * Without spans it is open at all hours of every day that is not closed.
 * @throws RangeError for a time zone that `Intl` does not know.
 */
export function isOpen({ timeZone, spans, closedOn }: BusinessHours, at: Date): boolean {
  const { date, time } = wallTimeOf(at, timeZone)
  const today = dayOf(date)
  // 1 January 1970 was a Thursday.
  const weekday = (((today + 4) % 7) + 7) % 7
  const isOff = (day: number) => closedOn.some((closed) => dayOf(closed) === day)
  const [offToday, offYesterday] = closedOn.length === 0 ? [false, false] : [isOff(today), isOff(today - 1)]
  if (spans.length === 0) return !offToday
  return spans.some(({ day, from, to }) => {
    if (day === weekday && !offToday) {
      if (from === to) return true
      if (time >= from && (time < to || to < from)) return true
    }
    return to < from && (day + 1) % 7 === weekday && !offYesterday && time < to
  })
}
