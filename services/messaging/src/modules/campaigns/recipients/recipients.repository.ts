import type { Filter, SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { firstIds } from '../audience/first-ids.ts'
import { createRecipientAddresses } from '../audience/recipient-addresses.repository.ts'
import { createRecipientZones } from '../audience/recipient-zones.repository.ts'
import type { LatestPlaces } from '../run/enqueue-progress.ts'
import {
  type BlockRecord,
  blockSchema,
  endedStates,
  openStates,
  type RecipientRecord,
  type RecipientState,
  recipientsIn,
  type Tallies,
  type TotalsRecord,
  totalsSchema,
} from './recipients.model.ts'
import type { Group } from './tallies.ts'

type Session = Pick<Tx, 'session'>

/** Maximum rows removed in one transaction. */
const maxRemoved = 2000
/** Length of the plus and six digits: countries that share a calling code differ in the digits after it. */
const beginning = 7

export type NewRecipient = Omit<RecipientRecord, 'id' | 'workspaceId'> & { readonly _id: string }
export type RecipientsRepository = ReturnType<typeof createRecipientsRepository>

/** The rows of campaigns and what they were counted to. */
export function createRecipientsRepository(connection: ServiceConnection) {
  const recipients = recipientsIn(connection)
  const blocks = workspaceCollection<BlockRecord>({ connection, name: 'campaignBlocks', schema: blockSchema })
  const totals = workspaceCollection<TotalsRecord>({ connection, name: 'campaignTotals', schema: totalsSchema })

  return {
    ...createRecipientZones(recipients),
    ...createRecipientAddresses(recipients),
    insert: (scope: WorkspaceScope, rows: readonly NewRecipient[], options: SessionOption) =>
      recipients(scope).insertPlain(rows, options),
    /** Deletes some rows of a campaign, and with the last of them what they were counted to. @returns whether there are more. */
    removeSome: async (scope: WorkspaceScope, campaignId: string, { session }: Session): Promise<boolean> => {
      const ids = await firstIds(recipients(scope), campaignId, { limit: maxRemoved, session })
      if (ids.length > 0) await recipients(scope).deleteMany({ _id: { $in: ids } }, { session })
      if (ids.length === maxRemoved) return true
      await blocks(scope).deleteMany({ campaignId }, { session })
      await totals(scope).deleteMany({ campaignId }, { session })
      return false
    },
    /**
     * Counts rows by the beginning of their address: all whose first digits are the same are in one country.
     * @returns for each beginning one of its addresses.
     */
    countByBeginning: (scope: WorkspaceScope, campaignId: string): Promise<{ to: string; count: number }[]> =>
      recipients(scope).aggregate<{ to: string; count: number }>(
        [
          // Counted from the keys of an index.
          { $match: { campaignId, to: { $gt: '' } } },
          { $group: { _id: { $substrCP: ['$to', 0, beginning] }, to: { $first: '$to' }, count: { $sum: 1 } } },
        ],
        { hint: 'address' },
      ),
    /** Counts waiting rows by their fallbacks. */
    countFallbacks: (scope: WorkspaceScope, campaignId: string): Promise<{ fallbacks: number; count: number }[]> =>
      recipients(scope).aggregate<{ fallbacks: number; count: number }>(
        [
          { $match: { campaignId, state: 'pending', fallbacks: { $gt: 0 } } },
          { $group: { _id: '$fallbacks', count: { $sum: 1 } } },
          { $project: { _id: 0, fallbacks: '$_id', count: 1 } },
        ],
        { hint: 'by-state' },
      ),
    /** Rows after a place, in their order, which the index has. */
    after: (
      scope: WorkspaceScope,
      campaignId: string,
      { index, filter }: { index: string; filter: Filter<RecipientRecord> },
      { after, limit }: { after: string | undefined; limit: number },
    ): PromiseLike<RecipientRecord[]> =>
      recipients(scope)
        .find({ ...filter, campaignId, ...(after !== undefined && { _id: { $gt: after } }) })
        .sort({ _id: 1 })
        .limit(limit)
        .hint(index),
    /** Returns the addresses among these that the campaign has already. */
    addressed: async (
      scope: WorkspaceScope,
      campaignId: string,
      to: readonly string[],
      { session }: Session,
    ): Promise<Set<string>> => {
      const found = await recipients(scope)
        .find({ campaignId, to: { $in: to } })
        .select('to')
        .hint('address')
        .session(session)
      return new Set(found.flatMap((row) => row.to ?? []))
    },
    /** Rows from a place on that nothing was done about. */
    pendingFrom: (
      scope: WorkspaceScope,
      campaignId: string,
      { from, below }: { from: number; below: number },
      { session }: Session,
    ): PromiseLike<RecipientRecord[]> =>
      recipients(scope)
        .find({ campaignId, n: { $gte: from, $lt: below }, state: 'pending' })
        .sort({ n: 1 })
        .hint('order')
        .session(session),
    /** Rows whose message has not left, as far as they know. */
    openRows: (scope: WorkspaceScope, campaignId: string, limit: number): PromiseLike<RecipientRecord[]> =>
      recipients(scope)
        .find({ campaignId, state: { $in: [...openStates] } })
        .limit(limit)
        .hint('by-state'),
    /** Notes of waiting rows that their messages are in the outbox: who changes one of them meanwhile finds a conflict. */
    noteEnqueued: (scope: WorkspaceScope, ids: readonly string[], { session }: Session) =>
      recipients(scope).updateMany({ _id: { $in: ids }, state: 'pending' }, { $set: { enqueued: true } }, { session }),
    /** @param from only rows in one of these states. */
    setState: (
      scope: WorkspaceScope,
      ids: readonly string[],
      { state, reason, from }: { state: RecipientState; reason?: string | undefined; from?: readonly RecipientState[] },
      { session }: SessionOption,
    ) =>
      recipients(scope).updateMany(
        { _id: { $in: ids }, ...(from && { state: { $in: [...from] } }) },
        reason === undefined ? { $set: { state }, $unset: { reason: 1 } } : { $set: { state, reason } },
        { session },
      ),
    /** Stores what recipients have done about the messages of these rows. */
    setAnswered: (
      scope: WorkspaceScope,
      ids: readonly string[],
      did: 'replied' | 'clicked',
      { session }: SessionOption,
    ) =>
      recipients(scope).updateMany({ _id: { $in: ids }, [did]: { $ne: true } }, { $set: { [did]: true } }, { session }),
    rows: (scope: WorkspaceScope, ids: readonly string[], { session }: Session): PromiseLike<RecipientRecord[]> =>
      recipients(scope)
        .find({ _id: { $in: ids } })
        .session(session),
    /** Counts the rows of each kind between two places; in a group of time zones by state and reason alone. */
    groupsOf: (
      scope: WorkspaceScope,
      campaignId: string,
      places: LatestPlaces,
      { session }: SessionOption = {},
    ): Promise<Group[]> => {
      const done = places.zone === undefined ? { clicked: '$clicked', replied: '$replied' } : {}
      return recipients(scope).aggregate<Group>(
        [
          { $match: { campaignId, ...between(places) } },
          { $group: { _id: { state: '$state', reason: '$reason', ...done }, count: { $sum: 1 } } },
          { $replaceRoot: { newRoot: { $mergeObjects: ['$_id', { count: '$count' }] } } },
        ],
        { hint: indexOf(places), session },
      )
    },
    /** Returns the outcomes of ended rows between two places, in their order: from the index alone, as `groupsOf` does. */
    endedIn: (
      scope: WorkspaceScope,
      campaignId: string,
      places: LatestPlaces,
    ): Promise<Pick<Group, 'state' | 'reason'>[]> =>
      recipients(scope).aggregate(
        [
          { $match: { campaignId, ...between(places), state: { $in: [...endedStates] } } },
          { $sort: { n: 1 } },
          { $project: { _id: 0, state: 1, reason: 1 } },
        ],
        { hint: indexOf(places) },
      ),
    storeBlock: (
      scope: WorkspaceScope,
      { campaignId, block }: Pick<BlockRecord, 'campaignId' | 'block'>,
      tallies: Tallies,
      { session }: Session,
    ) =>
      blocks(scope).updateOne(
        { campaignId, block },
        { $set: { tallies, countedAt: new Date() } },
        { session, upsert: true },
      ),
    block: (
      scope: WorkspaceScope,
      { campaignId, block }: Pick<BlockRecord, 'campaignId' | 'block'>,
      { session }: Session,
    ): Promise<BlockRecord | null> => blocks(scope).findOne({ campaignId, block }, { session, hint: 'block' }),
    /** The ids of rows between two places. */
    idsIn: async (
      scope: WorkspaceScope,
      campaignId: string,
      { from, below }: { from: number; below: number },
    ): Promise<string[]> =>
      (
        await recipients(scope)
          .find({ campaignId, n: { $gte: from, $lt: below } })
          .select('_id')
          .hint('order')
      ).map(({ id }) => id),
    blocks: (scope: WorkspaceScope, campaignId: string, { session }: Session): PromiseLike<BlockRecord[]> =>
      blocks(scope).find({ campaignId }).hint('block').session(session),
    /** Blocks that were not counted since a moment. */
    staleBlocks: (scope: WorkspaceScope, campaignId: string, before: Date, limit: number): PromiseLike<BlockRecord[]> =>
      blocks(scope)
        .find({ campaignId, countedAt: { $lt: before } })
        .limit(limit)
        .hint('block'),
    storeTotals: (scope: WorkspaceScope, campaignId: string, tallies: Tallies, { session }: Session) =>
      totals(scope).updateOne({ campaignId }, { $set: { tallies, countedAt: new Date() } }, { session, upsert: true }),
    totals: async (scope: WorkspaceScope, campaignIds: readonly string[]): Promise<Map<string, Tallies>> => {
      const found = await totals(scope)
        .find({ campaignId: { $in: campaignIds } })
        .hint('campaign')
      return new Map(found.map(({ campaignId, tallies }) => [campaignId, tallies]))
    },
    /** Returns the totals of all campaigns together. */
    totalsOfAll: async (scope: WorkspaceScope): Promise<Tallies> => {
      const sum = (key: string) => ({ $sum: { $ifNull: [`$tallies.${key}`, 0] } })
      const [found] = await totals(scope).aggregate<Tallies>(
        [{ $group: { _id: null, sent: sum('sent'), delivered: sum('delivered'), read: sum('read') } }],
        { hint: 'campaign' },
      )
      return found ?? {}
    },
  }
}

/** Rows of a group of time zones have an index of their own. */
const indexOf = ({ zone }: LatestPlaces) => (zone === undefined ? 'order' : 'zone')
const between = ({ zone, from, below }: LatestPlaces) => ({
  ...(zone !== undefined && { zone }),
  n: { $gte: from, $lt: below },
})
