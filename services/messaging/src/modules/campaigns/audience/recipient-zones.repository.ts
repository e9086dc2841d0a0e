import type { ScopedCollection, WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { RecipientRecord } from '../recipients/recipients.model.ts'

/** Rows by the group of zones that their hours go by. */
export const createRecipientZones = (recipients: (scope: WorkspaceScope) => ScopedCollection<RecipientRecord>) => ({
  /** The first rows of a group from a place on that nothing was done about. */
  pendingOfZone: (
    scope: WorkspaceScope,
    campaignId: string,
    { zone, from, limit }: { zone: number; from: number; limit: number },
    { session }: Pick<Tx, 'session'>,
  ): PromiseLike<RecipientRecord[]> =>
    recipients(scope)
      .find({ campaignId, zone, n: { $gte: from }, state: 'pending' })
      .sort({ n: 1 })
      .limit(limit)
      .hint('zone')
      .session(session),
  /** Counts the rows that wait in each group. */
  countByZone: (scope: WorkspaceScope, campaignId: string): Promise<{ zone: number; count: number }[]> =>
    recipients(scope).aggregate<{ zone: number; count: number }>(
      [
        { $match: { campaignId, zone: { $gte: 0 }, state: 'pending' } },
        { $group: { _id: '$zone', count: { $sum: 1 } } },
        { $project: { _id: 0, zone: '$_id', count: 1 } },
      ],
      { hint: 'zone' },
    ),
})
