import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { createCountUsage } from '../meter/count-usage.ts'
import { createUsageCountsRepository } from '../meter/usage-counts.repository.ts'
import { createUsageWatchesRepository } from '../meter/usage-watches.repository.ts'
import { createAllowance } from './allowance.ts'
import { createApplyPlan } from './apply-plan.ts'
import { createCheckTemplate, type ThreadReads } from './check-template.ts'
import { createChoosePlan } from './choose-plan.ts'
import { createQuota } from './quota.service.ts'
import { createUsageDays } from './usage-days.ts'
import { createUsagePeriodsRepository } from './usage-periods.repository.ts'

type Allowances = Omit<Parameters<typeof createAllowance>[0], 'planOf'>
type Counts = Pick<Parameters<typeof createQuota>[0], 'holders' | 'transaction' | 'isChoosable'>

/** Wires what is counted of what a workspace sends, and what it may send by its plan. */
export function createWorkspaceQuota({
  mongo,
  sampleData,
  readHours,
  hasLimits,
  messages,
  ...given
}: Allowances &
  Counts & {
    readonly mongo: ServiceConnection
    readonly messages: ThreadReads & { readonly readMany: Parameters<typeof createCountUsage>[0]['readMessages'] }
  }) {
  const periods = createUsagePeriodsRepository(mongo)
  const counts = createUsageCountsRepository(mongo)
  const watches = createUsageWatchesRepository(mongo)
  const { noteChange } = watches
  const allowanceAt = createAllowance({ planOf: periods.plan, sampleData, readHours, hasLimits })
  const quota = createQuota({
    ...given,
    periods,
    allowanceAt,
    noteChange,
    sentBetween: counts.between,
  })
  const plans = createApplyPlan({ periods, allowanceAt, noteChange, transaction: given.transaction })
  const readings = { allowanceAt, readPeriod: periods.read, readSenders: given.holders.readMany }
  return {
    quota,
    usageDays: createUsageDays({ ...readings, sentByDay: counts.byDay }),
    applyPlan: plans.applyPlan,
    choosePlan: createChoosePlan({ ...plans, usage: quota.usage, isChoosable: given.isChoosable }),
    checkTemplate: createCheckTemplate({ usage: quota.usage, messages }),
    countUsage: createCountUsage({ counts, readMessages: messages.readMany, noteChange }),
    /** Parts for the worker that acts on what is used. */
    forWatch: { ...readings, watches, sentBetween: counts.between },
  }
}
