/** A date (`2026-03-14`) and a time (`10:00`) as a clock of some zone shows them. */
export interface WallTime {
  readonly date: string
  readonly time: string
}

/** Cached by zone, of which there are some hundreds: creating one takes forty times as long as using it. */
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone)
  if (known) return known
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  clocks.set(timeZone, clock)
  return clock
}

/** Returns what a clock of the zone shows at a moment. */
export function wallTimeOf(at: Date, timeZone: string): WallTime {
  const parts = clockOf(timeZone).formatToParts(at)
  const part = (type: string) => parts.find((found) => found.type === type)?.value ?? ''
  return {
    date: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
  }
}

/** True if `Intl` knows the IANA time zone. */
export function isTimeZone(timeZone: string): boolean {
  try {
    clockOf(timeZone)
    return true
  } catch {
    return false
  }
}

const dayMs = 86_400_000

/**
 * Returns the date `days` days later, or earlier.
 * @param date as `2026-03-14`.
 */
export const dateAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** In milliseconds, as if the clock were that of UTC: how far two times of one clock lie apart. */
export const asUtc = ({ date, time }: WallTime) => Date.parse(`${date}T${time}:00Z`)

const earliestMs = Date.UTC(1000, 0, 3)
const latestMs = Date.UTC(9999, 11, 29)

/**
 * The moment at which a clock of the zone shows a date and time; `undefined` if they are none, or before the year 1000 or at the end of the year 9999. A time that the clock skips
 * in spring is as much later; of one that it shows twice in autumn, the first.
 */
export function momentOf(wall: WallTime, timeZone: string): Date | undefined {
  const wanted = asUtc(wall)
  // Near the ends of the calendar's years of four digits a clock shows others.
  if (!(wanted > earliestMs && wanted < latestMs)) return undefined
  const offsetAt = (ms: number) => asUtc(wallTimeOf(new Date(ms), timeZone)) - ms
  // A zone's offset is at most a day; the two guesses lie on either side of a change of the clock.
  const moments = [offsetAt(wanted - dayMs), offsetAt(wanted + dayMs)].map((offset) => wanted - offset)
  const exact = moments.filter((ms) => asUtc(wallTimeOf(new Date(ms), timeZone)) === wanted)
  return new Date(exact.length > 0 ? Math.min(...exact) : Math.max(...moments))
}
