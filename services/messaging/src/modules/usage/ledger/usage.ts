import { isTimeLimit, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type Usage, type UsageRecord, usageSchema } from './usage.model.ts'

export type { Usage } from './usage.model.ts'

/** Messages of a campaign that are charged alike. */
export interface UsageGroup extends Pick<Usage, 'category' | 'billable'> {
  readonly country: string | null
  /** Number of the given times that had passed when they were delivered. */
  readonly period: number
  readonly count: number
}

/** One row for each delivered message with a price: what credits, quota and cost are sums of. */
export function createUsage(connection: ServiceConnection) {
  const usage = workspaceCollection<UsageRecord>({ connection, name: 'usage', schema: usageSchema })

  async function record(scope: WorkspaceScope, rows: readonly Usage[], { session }: Tx): Promise<void> {
    const writes = rows.map(({ messageId, at, ...row }) => ({
      updateOne: {
        filter: { messageId },
        // A message may be reported as read before it is reported as delivered.
        update: { $setOnInsert: { ...row, kind: 'message' as const }, $min: { at } },
        upsert: true,
      },
    }))
    await usage(scope).bulkWrite(writes, { session, ordered: true })
  }

  /**
   * The rows of a campaign, counted in the database from the keys of one index.
   * @param moments the earliest first.
   * @returns null where `maxTimeMS` was not enough.
   */
  const ofCampaign = (
    scope: WorkspaceScope,
    { campaignId, moments, maxTimeMS }: { campaignId: string; moments: readonly Date[]; maxTimeMS: number },
  ): Promise<UsageGroup[] | null> => {
    const period = { $add: moments.map((moment) => ({ $cond: [{ $gte: ['$at', moment] }, 1, 0] })) }
    const by = { country: '$country', category: '$category', billable: '$billable', period }
    const group = { _id: by, count: { $sum: 1 } }
    const shown = { $mergeObjects: [{ country: null }, '$_id', { count: '$count' }] }
    return usage(scope)
      .aggregate<UsageGroup>([{ $match: { campaignId } }, { $group: group }, { $replaceRoot: { newRoot: shown } }], {
        hint: 'campaign',
        maxTimeMS,
      })
      .catch((error: unknown) => {
        if (isTimeLimit(error)) return null
        throw error
      })
  }

  /** Yields what was delivered in a span of time, the earliest first; read piece by piece. */
  const between = (scope: WorkspaceScope, { from, to }: { from: Date; to: Date }): AsyncIterable<UsageRecord> =>
    usage(scope)
      .find({ at: { $gte: from, $lt: to } })
      .sort({ at: 1 })
      .hint('time')

  return { record, ofCampaign, between }
}
