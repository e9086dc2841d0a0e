import type { Usage, UsageMeter } from '@parley/contracts/usage/usage'
import type { Allowance, Meters } from './allowance.ts'
import type { UsagePeriodRecord } from './quota.model.ts'

/** Returns what a period allows, with what is taken of it: a message of a campaign takes one of each meter. */
export function usageOf(
  allowance: Allowance,
  others: Meters,
  record: Pick<UsagePeriodRecord, 'holds' | 'used'> | null,
): Omit<Usage, 'choosable'> {
  const { plan, planId, price, next, from, to, ends, limit, renews, ended, limited } = allowance
  const { sampleToldAt, usedBefore, ownPlan } = allowance
  const [campaigns, held] = [sum(record?.used), sum(record?.holds)]
  const meterOf = (name: keyof Meters): UsageMeter => {
    const used = others[name] + campaigns
    return { limit: limit[name], used, held, left: ended ? 0 : Math.max(0, limit[name] - used - held) }
  }
  return {
    plan,
    ...(planId && { planId }),
    price,
    ...(next && { next }),
    from,
    to,
    endsAt: ends.toISOString(),
    renews,
    ended,
    limited,
    credits: meterOf('credits'),
    messages: meterOf('messages'),
    ...(sampleToldAt && { sample: { ...usedBefore, ...(ownPlan && { ownPlan }) } }),
  }
}

/** Returns the number of templates that all campaigns together may hold and use. */
export function roomOf({ limit, ended, limited }: Allowance, others: Meters): number {
  if (!limited) return Number.MAX_SAFE_INTEGER
  return ended ? 0 : Math.min(limit.credits - others.credits, limit.messages - others.messages)
}

const sum = (amounts: Readonly<Record<string, number>> = {}) =>
  Object.values(amounts).reduce((total, amount) => total + amount, 0)
