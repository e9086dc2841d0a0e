import type { ScopedCollection, WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { endedStates, type RecipientRecord } from './recipients.model.ts'
import type { Group } from './tallies.ts'

interface ZonePlaces {
  readonly zone: number
  readonly from: number
  readonly below: number
}

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
  /** How many rows wait in each group. */
  countByZone: (scope: WorkspaceScope, campaignId: string): Promise<{ zone: number; count: number }[]> =>
    recipients(scope).aggregate<{ zone: number; count: number }>(
      [
        { $match: { campaignId, zone: { $gte: 0 }, state: 'pending' } },
        { $group: { _id: '$zone', count: { $sum: 1 } } },
        { $project: { _id: 0, zone: '$_id', count: 1 } },
      ],
      { hint: 'zone' },
    ),
  /** How many rows of a group between two places have come to what: from the index alone, as is the next. */
  groupsOfZone: (scope: WorkspaceScope, campaignId: string, { zone, from, below }: ZonePlaces): Promise<Group[]> =>
    recipients(scope).aggregate<Group>(
      [
        { $match: { campaignId, zone, n: { $gte: from, $lt: below } } },
        { $group: { _id: { state: '$state', reason: '$reason' }, count: { $sum: 1 } } },
        { $replaceRoot: { newRoot: { $mergeObjects: ['$_id', { count: '$count' }] } } },
      ],
      { hint: 'zone' },
    ),
  /** What rows of a group between two places have come to that have ended, in their order. */
  endedOfZone: (
    scope: WorkspaceScope,
    campaignId: string,
    { zone, from, below }: ZonePlaces,
  ): Promise<Pick<Group, 'state' | 'reason'>[]> =>
    recipients(scope).aggregate(
      [
        { $match: { campaignId, zone, n: { $gte: from, $lt: below }, state: { $in: [...endedStates] } } },
        { $sort: { n: 1 } },
        { $project: { _id: 0, state: 1, reason: 1 } },
      ],
      { hint: 'zone' },
    ),
})
