import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import {
  maxPastPlans,
  type PastPlan,
  type UsagePeriodRecord,
  usagePeriodSchema,
  type WorkspacePlanRecord,
  workspacePlanSchema,
} from './quota.model.ts'
import type { QuotaHold } from './quota-hold.ts'

interface Of {
  readonly period: string
  readonly campaignId: string
}
type ChosenPlan = Pick<WorkspacePlanRecord, 'plan' | 'source' | 'at' | 'sampleToldAt'>
export type UsagePeriodsRepository = ReturnType<typeof createUsagePeriodsRepository>

export function createUsagePeriodsRepository(connection: ServiceConnection) {
  const plans = workspaceCollection<WorkspacePlanRecord>({
    connection,
    name: 'workspacePlans',
    schema: workspacePlanSchema,
  })
  const periods = workspaceCollection<UsagePeriodRecord>({
    connection,
    name: 'usagePeriods',
    schema: usagePeriodSchema,
  })

  return {
    plan: (scope: WorkspaceScope) => plans(scope).findOne({}, { hint: 'workspace' }),
    /** Sets the plan at once; a plan that was to follow no longer does. @param before the plans that it ends. */
    setPlan: async (
      scope: WorkspaceScope,
      plan: ChosenPlan,
      before: readonly PastPlan[],
      options: SessionOption = {},
    ): Promise<void> => {
      const { sampleToldAt, ...set } = plan
      const unset = { next: 1, ...(!sampleToldAt && { sampleToldAt: 1 }) }
      const history = { $each: before, $slice: -maxPastPlans }
      const update = { $set: { ...set, ...(sampleToldAt && { sampleToldAt }) }, $unset: unset, $push: { history } }
      await plans(scope).updateOne({}, update, { ...options, upsert: true })
    },
    /** Begins a workspace without a trial; a plan that was set meanwhile stays. */
    skipTrial: async (scope: WorkspaceScope, at: Date, options: SessionOption): Promise<void> => {
      const begun = { plan: 'free_trial' as const, at }
      await plans(scope).updateOne({}, { $set: { noTrial: true }, $setOnInsert: begun }, { ...options, upsert: true })
    },
    /** Sets the plan that follows the present one; removes it where there is none. */
    setNext: async (
      scope: WorkspaceScope,
      next: WorkspacePlanRecord['next'],
      options: SessionOption = {},
    ): Promise<void> => {
      await plans(scope).updateOne({}, next ? { $set: { next } } : { $unset: { next: 1 } }, options)
    },
    read: (scope: WorkspaceScope, period: string, options: SessionOption = {}) =>
      periods(scope).findOne({ period }, { hint: 'period', ...options }),
    /** Creates the record of a period unless it exists. */
    make: async (scope: WorkspaceScope, period: string): Promise<void> => {
      await periods(scope).findOneAndUpdate({ period }, { $setOnInsert: { holds: {}, used: {} } }, { upsert: true })
    },
    /**
     * Holds so much for a campaign in the place of what it holds already. Two at once change the same record: the second one is
     * decided by what the first has left.
     * @param room of all campaigns together.
     * @returns whether there is room; for less than it holds there always is.
     */
    hold: async (
      scope: WorkspaceScope,
      { period, campaignId, n, room }: Of & { n: number; room: number },
      { session }: Tx,
    ): Promise<boolean> => {
      const heldByCampaign = { $ifNull: [`$holds.${campaignId}`, 0] }
      const usedByOthers = { $subtract: [{ $add: [sumOf('$holds'), sumOf('$used')] }, heldByCampaign] }
      const { matchedCount } = await periods(scope).updateOne(
        { period, $expr: { $or: [{ $lte: [n, heldByCampaign] }, { $lte: [{ $add: [usedByOthers, n] }, room] }] } },
        { $set: { [`holds.${campaignId}`]: n } },
        { session },
      )
      return matchedCount > 0
    },
    /** Says what a campaign takes; the same again changes nothing. @returns whether it took something else before. */
    settle: async (
      scope: WorkspaceScope,
      { period, campaignId, held, used }: Of & QuotaHold,
      { session }: Pick<Tx, 'session'>,
    ): Promise<boolean> => {
      const [hold, use] = [`holds.${campaignId}`, `used.${campaignId}`]
      const { modifiedCount } = await periods(scope).updateOne(
        { period, $or: [{ [hold]: { $ne: held } }, { [use]: { $ne: used } }] },
        { $set: { [hold]: held, [use]: used } },
        { session },
      )
      return modifiedCount > 0
    },
  }
}

const sumOf = (field: string) => ({ $sum: { $map: { input: { $objectToArray: field }, in: '$$this.v' } } })
