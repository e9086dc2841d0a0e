import { dateAfter, wallTimeOf } from '@parley/contracts/core/zoned-time'
import type { UsageDay } from '@parley/contracts/usage/usage'
import { usageToldAt } from '@parley/sample/usage-by-day'
import type { Clock } from '@parley/service-kit/core/clock'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { UsageCountsRepository } from '../meter/usage-counts.repository.ts'
import type { Allowance, createAllowance, Meters } from './allowance.ts'
import type { ReadSenders } from './quota-hold.ts'
import type { UsagePeriodsRepository } from './usage-periods.repository.ts'

const maxDays = 14

/** Lists the usage of the current period day by day. */
export function createUsageDays({
  allowanceAt,
  counts,
  periods,
  holders,
  now = () => new Date(),
}: {
  allowanceAt: ReturnType<typeof createAllowance>
  counts: Pick<UsageCountsRepository, 'byDay'>
  periods: Pick<UsagePeriodsRepository, 'read'>
  holders: { readonly readMany: ReadSenders }
  now?: Clock
}) {
  return async function usageDays(scope: WorkspaceScope): Promise<UsageDay[]> {
    const allowance = await allowanceAt(scope, now())
    const { starts, ends, zone, period } = allowance
    const dateOf = (at: Date) => wallTimeOf(at, zone).date
    const days = new Map(datesOf(allowance, dateOf(now())).map((date) => [date, { credits: 0, messages: 0 }]))
    const add = (date: string, { credits, messages }: Meters) => {
      const day = days.get(date)
      if (day) days.set(date, { credits: day.credits + credits, messages: day.messages + messages })
    }
    for (const { date, ...sent } of await counts.byDay(scope, { from: starts, to: ends, zone })) add(date, sent)
    const used = (await periods.read(scope, period))?.used ?? {}
    for (const { id, startedAt } of await holders.readMany(scope, Object.keys(used))) {
      const count = used[id] ?? 0
      if (startedAt) add(dateOf(startedAt), { credits: count, messages: count })
    }
    for (const { date, ...days } of sampleDays(allowance, dateOf)) add(date, days)
    return [...days].map(([date, sums]) => ({ date, ...sums }))
  }
}

/** The last days until today, or until the end of a trial. */
function datesOf({ from, to }: Pick<Allowance, 'from' | 'to'>, today: string): string[] {
  const last = today < to ? today : dateAfter(to, -1)
  const dates = Array.from({ length: maxDays }, (_, index) => dateAfter(last, index + 1 - maxDays))
  return dates.filter((date) => date >= from)
}

/** Returns the days of the sample data's own past, which ends on its reference day. */
function sampleDays({ sampleToldAt, usedBefore }: Allowance, dateOf: (at: Date) => string): UsageDay[] {
  if (!sampleToldAt || usedBefore.messages === 0) return []
  const days = usageToldAt(sampleToldAt)
  return days.map((sums, index) => ({ date: dateAfter(dateOf(sampleToldAt), index + 1 - days.length), ...sums }))
}
