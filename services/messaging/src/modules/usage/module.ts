import type { Base } from '../../records.ts'
import { createEntriesDownload } from './ledger/entries-download.ts'
import { createUsage } from './ledger/usage.ts'
import { createCountUsage } from './meter/count-usage.ts'
import { createUsageCountsRepository } from './meter/usage-counts.repository.ts'
import { createUsageWatchesRepository } from './meter/usage-watches.repository.ts'
import { createAllowance } from './plan/allowance.ts'
import { createApplyPlan, createChoosePlan } from './plan/apply-plan.ts'
import { createQuota } from './plan/quota.service.ts'
import { createUsageDays } from './plan/usage-days.ts'
import { createUsagePeriodsRepository } from './plan/usage-periods.repository.ts'
import { createUsagePeriods } from './plan/usage-periods.ts'
import { createUsageWatch } from './plan/usage-watch.ts'
import { createRateCards } from './rate-cards/rate-cards.service.ts'

export interface UsageSettings {
  /** True where workspaces are held to the limits of their plan. */
  readonly hasLimits: boolean
  /** True where owners choose their plan. */
  readonly isChoosable: boolean
}
export type Usage = ReturnType<typeof createUsageModule>

/** Counts what a workspace sends; holds its plan's limits and its costs. */
export function createUsageModule(lower: Base & UsageSettings) {
  const { mongo } = lower
  const periods = createUsagePeriodsRepository(mongo)
  const counts = createUsageCountsRepository(mongo)
  const watches = createUsageWatchesRepository(mongo)
  const allowanceAt = createAllowance({ ...lower, periods })
  const parts = { ...lower, periods, counts, watches, allowanceAt }
  const quota = createQuota(parts)
  const plans = createApplyPlan(parts)
  const usage = createUsage(mongo)
  const rateCards = createRateCards(parts)
  return {
    usage,
    quota,
    usageDays: createUsageDays(parts),
    usagePeriods: createUsagePeriods({ ...parts, quota }),
    applyPlan: plans.applyPlan,
    choosePlan: createChoosePlan({ ...parts, quota, plans }),
    countUsage: createCountUsage(parts),
    usageWatch: createUsageWatch({ ...parts, quota }),
    rateCards,
    usageEntries: createEntriesDownload({ ...parts, usage, rateCards }),
  }
}
