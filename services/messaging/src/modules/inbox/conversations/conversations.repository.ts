import type { Filter, SessionOption, Update } from '@parley/service-kit/data/collection-types'
import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { type ListSort, pageOf } from '@parley/service-kit/data/page'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { windowBefore } from '../messages/service-window.ts'
import { answered, type ConversationChange, stagesOf } from './conversation-change.ts'
import { conversationIdOf } from './conversation-id.ts'
import {
  type ConversationRecord,
  type ConversationSearch,
  conversationSchema,
  snoozeTimer,
} from './conversations.model.ts'
import { createMemberQueue } from './member-queue.repository.ts'
import { owning, visibleTo } from './visible-to.ts'

export interface Pair {
  readonly numberId: string
  readonly contactId: string
}

export type { ConversationChange } from './conversation-change.ts'
export type ConversationFilter = Filter<ConversationRecord>
export type ConversationSort = ListSort<ConversationRecord>
type SessionOrNone = { readonly session?: Tx['session'] | null }
type Page = Omit<Parameters<typeof pageOf<ConversationRecord>>[1], 'workspaceId'>
/** A message as it is now: what the list shows of it, where it is the latest, and whether it has answered the customer. */
export interface ShownMessage {
  readonly conversationId: string
  readonly messageId: string
  readonly text: string
  readonly status?: string | undefined
  readonly answeredAt?: Date | undefined
  /** Set where WhatsApp has refused a message: the window was closed, although it seemed open. */
  readonly windowRefused?: { readonly sentAt: Date; readonly at: Date } | undefined
}
export type ConversationsRepository = ReturnType<typeof createConversationsRepository>

const begun = {
  status: 'open' as const,
  ...owning({ kind: 'nobody' }),
  ownerEpoch: 0,
  unreadCount: 0,
  messageCount: 0,
}

export function createConversationsRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'conversations', schema: conversationSchema }
  const conversations = workspaceCollection<ConversationRecord>(definition)
  const onTimer = scopedCollection<object, ConversationRecord>(definition, () => ({ timer: snoozeTimer }))

  return {
    read: (scope: WorkspaceScope, id: string, options?: SessionOption) =>
      conversations(scope).findOne({ _id: id }, options),
    readMany: (
      scope: WorkspaceScope,
      ids: readonly string[],
      { session = null }: SessionOrNone = {},
    ): PromiseLike<ConversationRecord[]> =>
      conversations(scope)
        .find({ _id: { $in: ids } })
        .session(session),
    /** Conversations of one number with these contacts. */
    ofContacts: (
      scope: WorkspaceScope,
      numberId: string,
      contactIds: readonly string[],
    ): PromiseLike<ConversationRecord[]> =>
      conversations(scope)
        .find({ numberId, contactId: { $in: contactIds } })
        .hint('pair'),
    /** Returns all conversations with a contact, the one with the newest message first. */
    withContact: (
      scope: WorkspaceScope,
      contactId: string,
      { session = null }: SessionOrNone = {},
    ): PromiseLike<ConversationRecord[]> =>
      conversations(scope)
        .find({ contactId })
        .sort({ 'lastMessage.at': -1, _id: -1 })
        .limit(200)
        .hint('pair')
        .session(session),
    /** Ids of all conversations with these contacts, and which contact each is with. */
    withContacts: (
      scope: WorkspaceScope,
      contactIds: readonly string[],
      { session = null }: SessionOrNone = {},
    ): PromiseLike<Pick<ConversationRecord, 'id' | 'contactId' | 'messageCount'>[]> =>
      conversations(scope)
        .find({ contactId: { $in: contactIds } })
        .select('contactId messageCount')
        .hint('pair')
        .session(session),
    /** Ids of open and snoozed conversations of a member. */
    idsOfMember: async (scope: WorkspaceScope, userId: string, limit: number): Promise<string[]> => {
      const found = await conversations(scope)
        .find({ 'owner.id': userId, status: { $in: ['open', 'snoozed'] } })
        .select('owner')
        .limit(limit)
        .hint('owner')
      return found.flatMap(({ id, owner }) => (owner.kind === 'member' ? [id] : []))
    },
    /** Begins those that are not there yet; safe to race. */
    begin: async (
      scope: WorkspaceScope,
      pairs: readonly (Pair & { readonly search?: ConversationSearch | undefined })[],
    ): Promise<void> => {
      const { insertMany, insertPlain } = conversations(scope)
      const records = pairs.map((pair) => ({ ...begun, ...pair, _id: conversationIdOf(pair) }))
      // One alone may be what a person has asked for: such an insert has an audit entry.
      const inserting = records.length > 1 ? insertPlain(records) : insertMany(records, { ordered: false })
      await inserting.catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error
      })
    },
    /**
     * Applies changes without reading first.
     * @param changes.at becomes the time at which those are opened that a customer begins or opens again.
     * @returns how many of the conversations were there.
     */
    apply: async (
      scope: WorkspaceScope,
      { changes, at }: { readonly changes: readonly ConversationChange[]; readonly at: Date },
      options: Pick<Tx, 'session'>,
    ) => {
      if (changes.length === 0) return 0
      const writes = changes.map((change) => ({
        updateOne: { filter: { _id: change.id }, update: stagesOf(change, at) },
      }))
      return (await conversations(scope).bulkWrite(writes, { ...options, ordered: false })).matchedCount
    },
    /** Messages that have changed: lists show the latest one of each conversation as it is now. */
    /** @returns the conversations that there are: a message of a campaign opens none. */
    showMessages: async (
      scope: WorkspaceScope,
      shown: readonly ShownMessage[],
      options: Pick<Tx, 'session'>,
    ): Promise<string[]> => {
      const found = await conversations(scope)
        .find({ _id: { $in: [...new Set(shown.map(({ conversationId }) => conversationId))] } })
        .select('lastMessage.id referredAt')
        .session(options.session)
      const byId = new Map(found.map((conversation) => [conversation.id, conversation]))
      const writes = shown.flatMap(({ conversationId: _id, messageId, text, status, answeredAt, windowRefused }) => {
        const { lastMessage, referredAt } = byId.get(_id) ?? {}
        const set = { 'lastMessage.text': text, ...(status && { 'lastMessage.status': status }) }
        const show = { filter: { _id, 'lastMessage.id': messageId }, update: { $set: set } }
        const answer = answeredAt && {
          filter: { _id, referredAt: { $exists: true } },
          update: [answered(answeredAt)],
        }
        return [
          ...(lastMessage?.id === messageId ? [{ updateOne: show }] : []),
          ...(referredAt && answer ? [{ updateOne: answer }] : []),
          ...(windowRefused ? [{ updateOne: closedWindow(_id, windowRefused) }] : []),
        ]
      })
      if (writes.length > 0) await conversations(scope).bulkWrite(writes, { ...options, ordered: false })
      return [...byId.keys()]
    },
    change: (scope: WorkspaceScope, id: string, update: Update<ConversationRecord>, options: Pick<Tx, 'session'>) =>
      conversations(scope).findOneAndUpdate({ _id: id }, update, options),
    /** Records that a note mentions members. */
    mention: (scope: WorkspaceScope, id: string, userIds: readonly string[], options: Pick<Tx, 'session'>) =>
      conversations(scope).updateOne({ _id: id }, { $addToSet: { mentioned: { $each: [...userIds] } } }, options),
    /** Shows when an answer is due, while the customer of an open conversation still waits. @returns whether they do. */
    setDue: async (scope: WorkspaceScope, id: string, dueAt: Date, options: Pick<Tx, 'session'>): Promise<boolean> =>
      (await conversations(scope).findOneAndUpdate(
        { _id: id, status: { $ne: 'closed' }, waitingSince: { $exists: true } },
        { $set: { dueAt } },
        options,
      )) !== null,
    page: (scope: WorkspaceScope, page: Page) =>
      pageOf(conversations(scope), { ...page, workspaceId: scope.workspaceId }),
    count: (scope: WorkspaceScope, filter: ConversationFilter, options: { hint: string; limit?: number }) =>
      conversations(scope).countDocuments(filter, options),
    countUnread: async (scope: WorkspaceScope): Promise<number> => {
      const [sum] = await conversations(scope).aggregate<{ messages: number }>(
        [
          { $match: { unreadCount: { $gt: 0 }, ...visibleTo(scope) } },
          { $group: { _id: null, messages: { $sum: '$unreadCount' } } },
        ],
        { hint: 'unread' },
      )
      return sum?.messages ?? 0
    },
    /** Counts the open conversations of each member. @returns by user id, with the name that conversations have for them. */
    countOpenByOwner: async (scope: WorkspaceScope): Promise<Map<string, { open: number; name: string | null }>> => {
      const found = await conversations(scope).aggregate<{ _id: string; open: number; name: string | null }>(
        [
          { $match: { 'owner.id': { $gt: '' }, status: 'open', 'owner.kind': 'member' } },
          { $group: { _id: '$owner.id', open: { $sum: 1 }, name: { $first: '$owner.name' } } },
        ],
        { hint: 'owner' },
      )
      return new Map(found.map(({ _id, ...owned }) => [_id, owned]))
    },
    /** Counts the open conversations of some members; the index alone is read. @returns by user id. */
    countOpenOf: async (
      scope: WorkspaceScope,
      userIds: readonly string[],
      options: SessionOption,
    ): Promise<Map<string, number>> => {
      const isShown = { 'lastMessage.at': { $gt: new Date(0) } }
      const found = await conversations(scope).aggregate<{ _id: string; open: number }>(
        [
          { $match: { 'owner.id': { $in: userIds }, status: 'open', ...isShown } },
          { $group: { _id: '$owner.id', open: { $sum: 1 } } },
        ],
        { hint: 'owner', ...options },
      )
      return new Map(found.map(({ _id, open }) => [_id, open]))
    },
    /** Finds snoozed conversations of all workspaces that are due. */
    dueOnTimer: (now: Date, limit: number): PromiseLike<ConversationRecord[]> =>
      onTimer({})
        .find({ snoozedUntil: { $lte: now } })
        .sort({ snoozedUntil: 1 })
        .limit(limit)
        .hint('timer'),
    ...createMemberQueue(connection),
    setSearch: async (
      scope: WorkspaceScope,
      found: readonly { readonly id: string; readonly search: ConversationSearch }[],
      options: Pick<Tx, 'session'>,
    ): Promise<void> => {
      if (found.length === 0) return
      const writes = found.map(({ id, search }) => ({
        updateOne: { filter: { _id: id }, update: { $set: { search } } },
      }))
      await conversations(scope).bulkWrite(writes, { ...options, ordered: false })
    },
  }
}

/** A window that is no longer open; not one that the customer has opened since the message was written. */
const closedWindow = (_id: string, { sentAt, at }: NonNullable<ShownMessage['windowRefused']>) => ({
  filter: { _id, windowExpiresAt: { $gt: at, $lt: windowBefore(sentAt) } },
  update: { $set: { windowExpiresAt: at } },
})
