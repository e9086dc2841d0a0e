import { z } from 'zod'
import { dateAfter, momentOf, wallTimeOf } from '../core/zoned-time.ts'

const maxRecentDays = 90
export const recentDaysProblem = `Enter a whole number from 1 to ${maxRecentDays}`

/** Days, today's being the first, in which a contact may have had no marketing. */
export const recentDaysSchema = z
  .number(recentDaysProblem)
  .int(recentDaysProblem)
  .min(1, recentDaysProblem)
  .max(maxRecentDays, recentDaysProblem)

/**
 * Returns the time from which marketing counts as sent in the last `days` days: the midnight at which the first of them begins.
 * Days are calendar days in a zone, and the day of `at` is the last of them, so the count does not depend on the minute of the
 * request, and a campaign of every Monday is no week too early for one of Monday a week before.
 * @param days a whole number from 1.
 */
export function recentSince(at: Date, days: number, timeZone: string): Date {
  const date = dateAfter(wallTimeOf(at, timeZone).date, 1 - days)
  const since = momentOf({ date, time: '00:00' }, timeZone)
  if (!since) throw new RangeError(`${date} is no date`)
  return since
}
