import type { AddNotifications } from '../../platform/notification.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Channel } from '../channel/module.ts'
import type { Inbox } from '../inbox/module.ts'
import { createUsage } from './ledger/usage.ts'
import { createCountUsage } from './meter/count-usage.ts'
import { createUsageCountsRepository } from './meter/usage-counts.repository.ts'
import { createUsageWatchesRepository } from './meter/usage-watches.repository.ts'
import { createAllowance } from './plan/allowance.ts'
import { createApplyPlan, createChoosePlan } from './plan/apply-plan.ts'
import { createCheckTemplate } from './plan/check-template.ts'
import { createPlanLimits } from './plan/plan-limits.ts'
import { createQuota } from './plan/quota.service.ts'
import { createUsageDays } from './plan/usage-days.ts'
import { createUsagePeriodsRepository } from './plan/usage-periods.repository.ts'
import { createUsagePeriods } from './plan/usage-periods.ts'
import { createUsageWatch } from './plan/usage-watch.ts'
import { createRateCards } from './rate-cards/rate-cards.service.ts'

/** Functions of higher modules that this one calls. */
export interface AboveUsage
  extends Pick<Parameters<typeof createAllowance>[0], 'sampleData' | 'readHours'>,
    Pick<Parameters<typeof createQuota>[0], 'holders'> {
  readonly addNotifications: AddNotifications
}
export interface UsageSettings {
  /** True where workspaces are held to the limits of their plan. */
  readonly hasLimits: boolean
  /** True where owners choose their plan. */
  readonly isChoosable: boolean
}
export type Usage = ReturnType<typeof createUsageModule>

/** Counts what a workspace sends; holds its plan's limits and its costs. */
export function createUsageModule(
  platform: Platform,
  lower: Inbox & Pick<Channel, 'countNumbers'>,
  above: AboveUsage,
  settings: UsageSettings,
) {
  const { mongo } = platform
  const { messageRecords: messages } = lower
  const periods = createUsagePeriodsRepository(mongo)
  const counts = createUsageCountsRepository(mongo)
  const watches = createUsageWatchesRepository(mongo)
  const { noteChange } = watches
  const allowanceAt = createAllowance({ ...above, ...settings, planOf: periods.plan })
  const parts = {
    ...platform,
    ...above,
    ...settings,
    periods,
    counts,
    watches,
    noteChange,
    allowanceAt,
    sentBetween: counts.between,
    sentByDay: counts.byDay,
    readPeriod: periods.read,
    readSenders: above.holders.readMany,
  }
  const quota = createQuota(parts)
  const plans = createApplyPlan(parts)
  return {
    usage: createUsage(mongo),
    quota,
    usageDays: createUsageDays(parts),
    usagePeriods: createUsagePeriods(quota.usage),
    applyPlan: plans.applyPlan,
    skipTrial: periods.skipTrial,
    choosePlan: createChoosePlan({ ...platform, ...lower, ...plans, ...settings, usage: quota.usage }),
    checkTemplate: createCheckTemplate({ usage: quota.usage, messages }),
    planLimits: createPlanLimits(allowanceAt),
    countUsage: createCountUsage({ counts, noteChange, readMessages: messages.readMany }),
    usageWatch: createUsageWatch({ ...parts, quota }),
    rateCards: createRateCards(mongo, parts),
  }
}
