import type { SessionOption } from '@parley/service-kit/data/collection-types'
import type { ScopedCollection, WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { MessageRecord } from './messages.model.ts'

/** States of a message that has not left. */
export type OpenState = 'queued' | 'held' | 'sending'

/** Change to messages of a campaign that have not left. */
interface Move {
  readonly from: readonly OpenState[]
  readonly to: Record<string, unknown>
  readonly ids?: readonly string[]
  readonly zones?: Zones | undefined
}

/** Groups of time zones; null: those that are in none. */
type Zones = readonly (number | null)[]

/** Messages of campaigns that have not left. */
export function createOpenOfCampaign(messages: (scope: WorkspaceScope) => ScopedCollection<MessageRecord>) {
  /** @param zones only of these; absent: of all. */
  const openOf = (campaignId: string, states: readonly OpenState[], zones?: Zones) => ({
    'cause.kind': 'campaign',
    'cause.id': campaignId,
    sendLane: { $exists: true },
    'dispatch.state': { $in: states },
    ...(zones && { 'cause.zone': { $in: zones } }),
  })

  return {
    countOpen: (
      scope: WorkspaceScope,
      campaignId: string,
      states: readonly OpenState[],
      zones?: Zones,
    ): Promise<number> =>
      messages(scope).countDocuments(openOf(campaignId, states, zones), { hint: 'open-of-campaign' }),
    /** Counts messages of a campaign that have not left, by group of time zones. */
    countOpenByZone: (
      scope: WorkspaceScope,
      campaignId: string,
    ): Promise<{ zone?: number | null; state: OpenState; count: number }[]> =>
      messages(scope).aggregate(
        [
          { $match: openOf(campaignId, ['queued', 'held', 'sending']) },
          { $group: { _id: { zone: '$cause.zone', state: '$dispatch.state' }, count: { $sum: 1 } } },
          { $replaceRoot: { newRoot: { $mergeObjects: ['$_id', { count: '$count' }] } } },
        ],
        { hint: 'open-of-campaign' },
      ),
    /** Ids of messages of a campaign that have not left. */
    openIds: async (
      scope: WorkspaceScope,
      campaignId: string,
      states: readonly OpenState[],
      { session, limit, zones }: Pick<Tx, 'session'> & { limit: number; zones?: Zones | undefined },
    ): Promise<string[]> => {
      const found = await messages(scope)
        .find(openOf(campaignId, states, zones))
        .select('_id')
        .limit(limit)
        .hint('open-of-campaign')
        .session(session)
      return found.map(({ id }) => id)
    },
    /** A message of a campaign that was kept back since a moment after WhatsApp had refused it. */
    firstKeptBack: (scope: WorkspaceScope, campaignId: string, since: Date) =>
      messages(scope).findOne(
        {
          ...openOf(campaignId, ['held']),
          'dispatch.reason': { $exists: true },
          'dispatch.lastError': { $exists: true },
          updatedAt: { $gte: since },
        },
        { hint: 'open-of-campaign' },
      ),
    /** Messages of a campaign that wait, with another text of its template than the one that is named. */
    heldWithOtherText: (
      scope: WorkspaceScope,
      campaignId: string,
      textKey: string,
      { limit, session }: Pick<Tx, 'session'> & { limit: number },
    ): PromiseLike<MessageRecord[]> =>
      messages(scope)
        .find({ ...openOf(campaignId, ['held']), 'content.textKey': { $exists: true, $ne: textKey } })
        .limit(limit)
        .hint('open-of-campaign')
        .session(session),
    /** Moves messages from one state into another, as long as they are in it: claimed ones stay with their process. */
    moveOpen: (
      scope: WorkspaceScope,
      campaignId: string,
      { from, to, ids, zones }: Move,
      options: SessionOption = {},
    ) =>
      messages(scope).updateMany(
        { ...openOf(campaignId, from, zones), ...(ids && { _id: { $in: ids } }) },
        {
          $set: to,
          $unset: {
            'dispatch.reason': 1,
            'dispatch.lateSince': 1,
            ...(to['sendLane'] === undefined && { sendLane: 1 }),
          },
        },
        options,
      ),
  }
}
