import type { Filter, SessionOption } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type ListSort, pageOf } from '@parley/service-kit/data/page'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { createAnsweredBeside } from './answered-beside.ts'
import { type MessageOutcome, type MessageRecord, messageSchema, storedId } from './messages.model.ts'
import { createMessagingLimitSlots } from './messaging-limit-slots.ts'
import { createOpenOfCampaign, type OpenState } from './open-of-campaign.repository.ts'
import { createSendLanes } from './send-lanes.repository.ts'

export type NewMessageRecord = Omit<MessageRecord, 'id' | 'workspaceId' | 'version' | 'createdAt' | 'updatedAt'> & {
  readonly _id?: string
}
type Page = Omit<Parameters<typeof pageOf<MessageRecord>>[1], 'workspaceId' | 'sort'>
export type MessagesRepository = ReturnType<typeof createMessagesRepository>

/** The newest message first. */
const thread: ListSort<MessageRecord> = { index: 'thread', field: 'sentAt', direction: -1 }

export function createMessagesRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'messages', schema: messageSchema }
  const messages = workspaceCollection<MessageRecord>(definition)
  const withMediaDue = scopedCollection<{ 'mediaFetch.state': string }, MessageRecord>(definition, (due) => ({
    ...due,
  }))

  return {
    read: (scope: WorkspaceScope, id: string, options?: SessionOption) => messages(scope).findOne({ _id: id }, options),
    create: (scope: WorkspaceScope, record: NewMessageRecord, options: Pick<Tx, 'session'>) =>
      messages(scope).create(record, options),
    insertMany: (scope: WorkspaceScope, records: readonly NewMessageRecord[], options: Pick<Tx, 'session'>) =>
      messages(scope).insertPlain(records, options),
    /** Returns the messages that the platform, or we ourselves, know by these ids. */
    known: async (
      scope: WorkspaceScope,
      { waMessageIds, ids }: { waMessageIds: readonly string[]; ids: readonly string[] },
      { session }: Pick<Tx, 'session'>,
    ): Promise<MessageRecord[]> => {
      const byPlatform =
        waMessageIds.length > 0
          ? await messages(scope)
              .find({ waMessageId: { $in: waMessageIds } })
              .hint('wamid')
              .session(session)
          : []
      const byUs =
        ids.length > 0
          ? await messages(scope)
              .find({ _id: { $in: ids } })
              .session(session)
          : []
      return [...new Map([...byPlatform, ...byUs].map((message) => [message.id, message])).values()]
    },
    /** Changes messages, each only where it is as it was read. @returns how many were. */
    change: async (
      scope: WorkspaceScope,
      changes: readonly { id: string; version: number; set: Record<string, unknown>; unset?: readonly string[] }[],
      options: SessionOption = {},
    ): Promise<number> => {
      if (changes.length === 0) return 0
      const writes = changes.map(({ id, version, set, unset = [] }) => ({
        updateOne: {
          filter: { _id: id, version },
          update: {
            $set: set,
            ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((name) => [name, ''])) }),
          },
        },
      }))
      return (await messages(scope).bulkWrite(writes, { ...options, ordered: false })).matchedCount
    },
    /** Changes messages that were read with the same version in the same way. @returns how many were as they were read. */
    changeAlike: async (
      scope: WorkspaceScope,
      ids: readonly string[],
      version: number,
      set: Record<string, unknown>,
    ): Promise<number> =>
      (await messages(scope).updateMany({ _id: { $in: ids }, version }, { $set: set })).matchedCount,
    /** Lets go of a file that a campaign has sent: its name stands above the text from now. */
    forgetFile: (scope: WorkspaceScope, campaignId: string, mediaId: string) =>
      messages(scope).updateMany({ 'content.header.mediaId': mediaId, 'cause.id': campaignId }, [
        { $set: { 'content.headerText': { $concat: ['$content.header.fileName', ' · no longer kept'] } } },
        { $unset: ['content.header', 'content.mediaId'] },
      ]),
    /** Moves those of these messages that are still in a state. */
    moveIds: (
      scope: WorkspaceScope,
      ids: readonly string[],
      { from, to }: { from: OpenState; to: Record<string, unknown> },
    ) => messages(scope).updateMany({ _id: { $in: ids }, 'dispatch.state': from }, { $set: to }),
    /** Reads the outcomes of these messages, without their content. */
    readOutcomes: (scope: WorkspaceScope, ids: readonly string[]): PromiseLike<MessageOutcome[]> =>
      messages(scope)
        .find({ _id: { $in: ids } })
        .select('error pricing statusAt'),
    readMany: (
      scope: WorkspaceScope,
      ids: readonly string[],
      { session = null }: { readonly session?: Tx['session'] | null } = {},
    ): PromiseLike<MessageRecord[]> =>
      messages(scope)
        .find({ _id: { $in: ids } })
        .session(session),
    changedSince: async (scope: WorkspaceScope, ids: readonly string[], since: Date): Promise<boolean> =>
      (await messages(scope).findOne({ _id: { $in: ids }, updatedAt: { $gte: since } })) !== null,
    /** Messages of a conversation behind a place, newest first. */
    walk: (
      scope: WorkspaceScope,
      conversationId: string,
      { behind, limit }: { behind?: { readonly at: Date; readonly id: string } | undefined; limit: number },
    ): PromiseLike<MessageRecord[]> =>
      messages(scope)
        .find({
          conversationId,
          ...(behind && {
            sentAt: { $lte: behind.at },
            $nor: [{ sentAt: behind.at, _id: { $gte: behind.id } }],
          }),
        })
        .sort({ sentAt: -1, _id: -1 })
        .limit(limit)
        .hint('thread'),
    /** Messages of campaigns in these conversations since then. */
    ofCampaigns: (
      scope: WorkspaceScope,
      conversationIds: readonly string[],
      since: Date,
      { session }: Pick<Tx, 'session'>,
    ): PromiseLike<MessageRecord[]> =>
      messages(scope)
        .find({ conversationId: { $in: conversationIds }, sentAt: { $gte: since }, 'cause.kind': 'campaign' })
        .select('conversationId sentAt statusAt status dispatch cause')
        .hint('campaigns-in-conversation')
        .session(session),
    /** Counts the messages of campaigns that have left in a conversation, which its record does not count. */
    sentByCampaigns: async (
      scope: WorkspaceScope,
      conversationId: string,
    ): Promise<{ count: number; first: Date; last: Date } | undefined> => {
      const found = {
        conversationId: storedId(conversationId),
        'cause.kind': 'campaign',
        status: { $in: ['sent', 'delivered', 'read'] },
        // The sample's record counts them.
        sample: { $ne: true },
      }
      const [counted] = await messages(scope).aggregate<{ count: number; first: Date; last: Date }>(
        [
          { $match: found },
          { $group: { _id: null, count: { $sum: 1 }, first: { $min: '$sentAt' }, last: { $max: '$sentAt' } } },
        ],
        { hint: 'campaigns-in-conversation' },
      )
      return counted
    },
    /** Returns the message sent with a client id; null where none is given. */
    byClientId: async (
      scope: WorkspaceScope,
      conversationId: string,
      clientId: string | undefined,
      { session }: SessionOption = {},
    ): Promise<MessageRecord | null> =>
      clientId === undefined
        ? null
        : messages(scope).findOne({ conversationId, clientId }, { hint: 'client-id', session }),
    page: (scope: WorkspaceScope, page: Page) =>
      pageOf(messages(scope), { ...page, sort: thread, isMostlyShort: true, workspaceId: scope.workspaceId }),
    /** The oldest messages of a conversation that fit, oldest first. */
    oldest: (
      scope: WorkspaceScope,
      filter: Filter<MessageRecord> & { readonly conversationId: string },
      limit: number,
    ): PromiseLike<MessageRecord[]> =>
      messages(scope).find(filter).sort({ sentAt: 1, _id: 1 }).limit(limit).hint('thread'),
    countInThread: (
      scope: WorkspaceScope,
      filter: Filter<MessageRecord> & { readonly conversationId: string },
      options: SessionOption = {},
    ): Promise<number> => messages(scope).countDocuments(filter, { hint: 'thread', ...options }),
    /** Messages that left from a number since then, a million at most. */
    countSent: (scope: WorkspaceScope, numberId: string, since: Date): Promise<number> =>
      messages(scope).countDocuments(
        { direction: 'outbound', numberId, sentAt: { $gte: since } },
        { hint: 'sent-by-number', limit: 1_000_000 },
      ),
    /** Returns the customer's latest message in a conversation, if written since then. */
    latestInbound: (scope: WorkspaceScope, conversationId: string, since: Date) =>
      messages(scope).findOne(
        { conversationId, sentAt: { $gte: since }, direction: 'inbound' },
        { sort: { sentAt: -1, _id: -1 }, hint: 'thread' },
      ),
    /** Returns the latest message that the business sent in a conversation between two moments. */
    latestOutbound: (scope: WorkspaceScope, conversationId: string, { since, until }: { since: Date; until: Date }) =>
      messages(scope).findOne(
        { conversationId, sentAt: { $gte: since, $lte: until }, direction: 'outbound' },
        { sort: { sentAt: -1, _id: -1 }, hint: 'thread' },
      ),
    /**
     * Counts templates that members have sent in a conversation since a message came, except failed ones. WhatsApp gives times in
     * whole seconds: the order within one second follows from when they were stored.
     */
    templatesSince: (
      scope: WorkspaceScope,
      conversationId: string,
      { sentAt, createdAt }: Pick<MessageRecord, 'sentAt' | 'createdAt'>,
    ): Promise<number> =>
      messages(scope).countDocuments(
        {
          conversationId,
          sentAt: { $gte: sentAt },
          createdAt: { $gt: createdAt },
          'content.type': 'template',
          'cause.kind': 'member',
          status: { $ne: 'failed' },
        },
        { hint: 'thread' },
      ),
    ...createSendLanes(messages, definition),
    ...createAnsweredBeside(messages),
    ...createMessagingLimitSlots(messages),
    ...createOpenOfCampaign(messages),
    /** Messages whose files have to be fetched by a moment, and are older than it. */
    mediaDue: (before: Date): PromiseLike<MessageRecord[]> =>
      withMediaDue({ 'mediaFetch.state': 'due' })
        .find({ createdAt: { $lte: before }, 'mediaFetch.notBefore': { $not: { $gt: before } } })
        .limit(500)
        .hint('media-due'),
  }
}
