import type { Timing } from '@parley/contracts/automation/schedule'
import { dateAfter, momentOf, wallTimeOf } from '@parley/contracts/core/zoned-time'

/** One start of a schedule. */
export interface ScheduledStart {
  readonly at: Date
  /** Date and time as the schedule means them, whatever the clocks do: `2026-03-29T02:30`. Each is one start. */
  readonly slot: string
}

/** Days after which every pattern has come round: a day of the month at the latest. */
const maxDays = 32

/**
 * Returns the first start of a schedule after a moment; `undefined` where there is none any more. Each day is looked at by itself: a
 * time that the clock skips in spring comes as much later, one that it shows twice in autumn counts the first time.
 */
export function nextStart({ repeat, time, timeZone }: Timing, after: Date): ScheduledStart | undefined {
  const startOn = (date: string): ScheduledStart | undefined => {
    const at = momentOf({ date, time }, timeZone)
    return at && at > after ? { at, slot: `${date}T${time}` } : undefined
  }
  if (repeat.every === 'once') return startOn(repeat.date)
  const { date: today } = wallTimeOf(after, timeZone)
  // A time of yesterday that was skipped before midnight comes today.
  for (let day = -1; day <= maxDays; day += 1) {
    const date = dateAfter(today, day)
    const start = startsOn(repeat, date) ? startOn(date) : undefined
    if (start) return start
  }
  return undefined
}

function startsOn(repeat: Exclude<Timing['repeat'], { every: 'once' }>, date: string): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  switch (repeat.every) {
    case 'day':
      return true
    case 'weekday':
      return weekday >= 1 && weekday <= 5
    case 'week':
      return repeat.days.includes(weekday)
    case 'month': {
      const day = Number(date.slice(8))
      return day === repeat.day || (day < repeat.day && dateAfter(date, 1).endsWith('-01'))
    }
  }
}
