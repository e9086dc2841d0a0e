import type { Stat } from '@parley/contracts/platform/dashboard'
import type { Usage, UsageDay } from '@parley/contracts/usage/usage'
import type { CreditUsage } from './credits.ts'

/** Returns the remaining credits, with their course over the last days. */
export function creditsStat(
  { credits, from, endsAt }: Pick<Usage, 'credits' | 'from' | 'endsAt'>,
  days: readonly UsageDay[],
): Stat {
  const { limit, used, left } = credits
  let after = days.reduce((sum, day) => sum + day.credits, 0)
  const points = days.map(({ date, credits: usedOnDay }) => {
    after -= usedOnDay
    return { at: `${date}T00:00:00Z`, value: Math.max(0, limit - used + after) }
  })
  const usedBefore = days.reduce((sum, day) => sum + day.credits, 0)
  // A line needs two ends, on the first day too.
  const before = { at: `${days[0]?.date ?? from}T00:00:00Z`, value: Math.max(0, limit - used + usedBefore) }
  const last = { at: points.at(-1)?.at ?? endsAt, value: left }
  return {
    value: left,
    trend: { change: -(days.at(-1)?.credits ?? 0), unit: 'count', since: 'yesterday' },
    series: { metric: 'creditsRemaining', bucket: 'day', points: [before, ...points.slice(0, -1), last] },
  }
}

/** Returns the bar's values; undefined where nothing is limited. */
export const creditBarOf = ({ credits: { used, limit }, endsAt, limited }: Usage): CreditUsage | undefined =>
  limited && limit > 0 ? { used, limit, resetsAt: endsAt } : undefined
