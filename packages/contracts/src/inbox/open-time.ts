import { asUtc, wallTimeOf } from '../core/zoned-time.ts'
import type { BusinessHours } from './opening-hours.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs
// 1 January 1970 was a Thursday.
const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7

/**
 * True if the business is open at this time. `to` is the first minute after closing time; a span that ends before it begins
 * runs over midnight and belongs to the day on which it began, as a closed day does; the same time twice is the whole day.
 * A workspace without spans is open at all hours of every day that is not closed.
 * @throws RangeError for a time zone that `Intl` does not know.
 */
export function isOpen({ timeZone, spans, closedOn }: BusinessHours, at: Date): boolean {
  const { date, time } = wallTimeOf(at, timeZone)
  const today = dayOf(date)
  const weekday = weekdayOf(today)
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

/** Milliseconds since 1970; `to` is the first moment after it. */
interface Stretch {
  readonly from: number
  readonly to: number
}

/** Returns the stretches of a period in which the business is open by `isOpen`, in order, none touching the next. */
function openStretches(hours: BusinessHours, period: Stretch): Stretch[] {
  const found = sameClock(hours.timeZone, period).flatMap(({ from, to, offsetMs }) =>
    openByClock(hours, { from: from + offsetMs, to: to + offsetMs }).map((open) => ({
      from: Math.max(from, open.from - offsetMs),
      to: Math.min(to, open.to - offsetMs),
    })),
  )
  const stretches: Stretch[] = []
  for (const next of found.filter(({ from, to }) => from < to).sort((left, right) => left.from - right.from)) {
    const last = stretches.at(-1)
    if (last && next.from <= last.to) stretches[stretches.length - 1] = { ...last, to: Math.max(last.to, next.to) }
    else stretches.push(next)
  }
  return stretches
}

/** Cuts a period where the zone's clock is changed. */
function sameClock(timeZone: string, { from, to }: Stretch): (Stretch & { readonly offsetMs: number })[] {
  const offsetAt = (ms: number) => {
    const minute = Math.floor(ms / minuteMs) * minuteMs
    return asUtc(wallTimeOf(new Date(minute), timeZone)) - minute
  }
  const parts: (Stretch & { offsetMs: number })[] = []
  for (let start = from; start < to; ) {
    const offsetMs = offsetAt(start)
    let end = start
    while (end < to && offsetAt(Math.min(end + dayMs, to)) === offsetMs) end = Math.min(end + dayMs, to)
    if (end < to) {
      // The clock is changed within the next day, at a full minute.
      let [low, high] = [end, Math.min(end + dayMs, to)]
      while (high - low > minuteMs) {
        const middle = low + Math.floor((high - low) / 2)
        if (offsetAt(middle) === offsetMs) low = middle
        else high = middle
      }
      end = Math.max(Math.floor(high / minuteMs) * minuteMs, start + 1)
    }
    parts.push({ from: start, to: end, offsetMs })
    start = end
  }
  return parts
}

/** The spans of the days of a period, as a clock shows them: milliseconds as if it were that of UTC. */
function openByClock({ spans, closedOn }: BusinessHours, { from, to }: Stretch): Stretch[] {
  const closed = new Set(closedOn.map(dayOf))
  const found: Stretch[] = []
  for (let day = Math.floor(from / dayMs) - 1; day * dayMs < to; day += 1) {
    if (closed.has(day)) continue
    const midnight = day * dayMs
    if (spans.length === 0) found.push({ from: midnight, to: midnight + dayMs })
    for (const span of spans) {
      if (span.day !== weekdayOf(day)) continue
      const [begins, ends] = [msOf(span.from), msOf(span.to)]
      if (begins === ends) found.push({ from: midnight, to: midnight + dayMs })
      else found.push({ from: midnight + begins, to: midnight + ends + (ends < begins ? dayMs : 0) })
    }
  }
  return found
}

const msOf = (time: string): number => (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * minuteMs

/** Returns how long the business was open between two moments, in seconds. */
export function openSecondsBetween(hours: BusinessHours, from: Date, to: Date): number {
  const stretches = openStretches(hours, { from: from.getTime(), to: to.getTime() })
  return Math.round(stretches.reduce((sum, open) => sum + open.to - open.from, 0) / 1000)
}

/** Days after which a business that does not open is taken as closed for good: longer than any row of closed days in practice. */
const maxDays = 120
const weekMs = 7 * dayMs

/** Returns the moment by which the business has been open for so many seconds; `undefined` where that is not within 120 days. */
export function afterOpenSeconds(hours: BusinessHours, from: Date, seconds: number): Date | undefined {
  let leftMs = seconds * 1000
  const end = from.getTime() + maxDays * dayMs
  for (let start = from.getTime(); start < end; start += weekMs)
    for (const open of openStretches(hours, { from: start, to: Math.min(start + weekMs, end) })) {
      if (open.to - open.from >= leftMs) return new Date(open.from + leftMs)
      leftMs -= open.to - open.from
    }
  return undefined
}

/** Returns when a business that is closed opens next, and the moment itself where it is open; `undefined` as above. */
export const nextOpening = (hours: BusinessHours, at: Date): Date | undefined =>
  isOpen(hours, at) ? at : afterOpenSeconds(hours, at, 0)
