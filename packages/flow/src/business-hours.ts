import type { NodeSettings } from '@parley/contracts/automation/flow'

type BusinessHours = Extract<NodeSettings, { kind: 'business_hours' }>

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** True if `Intl` knows the IANA time zone. */
export function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}

/**
 * True if the business is open at this time. `to` is the first minute after closing time; hours that end before they begin
 * run over midnight and belong to the day on which they began; the same time twice is the whole day.
 * @throws RangeError for a time zone that `Intl` does not know.
 */
export function isOpen({ timeZone, days, from, to }: Omit<BusinessHours, 'kind'>, at: Date): boolean {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const today = weekdays.indexOf(parts['weekday'] ?? '')
  const time = `${parts['hour']}:${parts['minute']}`
  if (from === to) return days.includes(today)
  if (from < to) return days.includes(today) && time >= from && time < to
  const yesterday = (today + 6) % 7
  return (days.includes(today) && time >= from) || (days.includes(yesterday) && time < to)
}
