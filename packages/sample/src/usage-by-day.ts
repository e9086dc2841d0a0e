import { daysIntoPeriod, facts } from './facts.ts'
import { shares } from './shares.ts'
import { createTraffic, type DayTraffic } from './traffic.ts'

/** Returns the use on each day of the period so far, the oldest first, today last: as messages were sent. */
export function usageByDay(traffic: readonly Pick<DayTraffic, 'sent'>[]): { credits: number; messages: number }[] {
  const messages = traffic.slice(-daysIntoPeriod).map(({ sent }) => sent)
  const credits = [...shares(facts.creditsUsed - facts.creditsUsedToday, messages.slice(0, -1)), facts.creditsUsedToday]
  return messages.map((count, index) => ({ messages: count, credits: credits[index] ?? 0 }))
}

/** Returns the same for sample data made for a given moment. */
export const usageToldAt = (now: Date) => usageByDay(createTraffic(now))
