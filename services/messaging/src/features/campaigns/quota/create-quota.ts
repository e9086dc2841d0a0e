import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { createCampaignsRepository } from '../campaigns.repository.ts'
import { createAllowance } from './allowance.ts'
import { createQuota } from './quota.service.ts'
import { createUsagePeriodsRepository } from './usage-periods.repository.ts'

type Allowances = Omit<Parameters<typeof createAllowance>[0], 'planOf'>
type Counts = Pick<Parameters<typeof createQuota>[0], 'totals' | 'countSingles' | 'transaction'>

/** Wires what campaigns may take of the plan. */
export function createWorkspaceQuota({
  mongo,
  cursors,
  sampleData,
  readHours,
  hasLimits,
  ...counts
}: Allowances & Counts & { readonly mongo: ServiceConnection; readonly cursors: PageCursors }) {
  const periods = createUsagePeriodsRepository(mongo)
  const allowanceAt = createAllowance({ planOf: periods.plan, sampleData, readHours, hasLimits })
  return createQuota({ ...counts, periods, allowanceAt, campaigns: createCampaignsRepository(mongo, cursors) })
}
