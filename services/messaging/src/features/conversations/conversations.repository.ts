import type { SessionOption } from '@parley/service-kit/data/collection-types'
import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type ConversationRecord, conversationSchema } from './conversations.model.ts'

export interface Pair {
  readonly numberId: string
  readonly contactId: string
}

/** What new messages and statuses do to a conversation. */
export interface ConversationChange {
  readonly id: string
  /** How many unread ones are new. */
  readonly unread: number
  readonly messages: number
  readonly windowExpiresAt?: Date | undefined
  /** The newest message of the change; it shows if nothing newer is there. */
  readonly last?: NonNullable<ConversationRecord['lastMessage']> | undefined
  /** A customer has written: a closed or snoozed conversation opens again. */
  readonly reopens: boolean
}
export type ConversationsRepository = ReturnType<typeof createConversationsRepository>

const begun = {
  status: 'open' as const,
  owner: { kind: 'nobody' as const },
  ownerEpoch: 0,
  unreadCount: 0,
  messageCount: 0,
}

export function createConversationsRepository(connection: ServiceConnection) {
  const conversations = workspaceCollection<ConversationRecord>({
    connection,
    name: 'conversations',
    schema: conversationSchema,
  })

  return {
    read: (scope: WorkspaceScope, id: string, options?: SessionOption) =>
      conversations(scope).findOne({ _id: id }, options),
    readMany: (
      scope: WorkspaceScope,
      ids: readonly string[],
      options: Pick<Tx, 'session'>,
    ): PromiseLike<ConversationRecord[]> =>
      conversations(scope)
        .find({ _id: { $in: ids } })
        .session(options.session),
    /** Conversations of one number with these contacts. */
    ofContacts: (
      scope: WorkspaceScope,
      numberId: string,
      contactIds: readonly string[],
    ): PromiseLike<ConversationRecord[]> =>
      conversations(scope)
        .find({ numberId, contactId: { $in: contactIds } })
        .hint('pair'),
    /** Begins those that are not there yet; safe to race. */
    begin: async (scope: WorkspaceScope, pairs: readonly Pair[]): Promise<void> => {
      await conversations(scope)
        .insertMany(
          pairs.map((pair) => ({ ...begun, ...pair })),
          { ordered: false },
        )
        .catch((error: unknown) => {
          if (!isDuplicateKey(error)) throw error
        })
    },
    /** Applies changes without reading first. @returns how many of the conversations were there. */
    apply: async (scope: WorkspaceScope, changes: readonly ConversationChange[], options: Pick<Tx, 'session'>) => {
      if (changes.length === 0) return 0
      const writes = changes.map((change) => ({
        updateOne: { filter: { _id: change.id }, update: [{ $set: stagesOf(change) }] },
      }))
      return (await conversations(scope).bulkWrite(writes, { ...options, ordered: false })).matchedCount
    },
    /** A newer status of the message that the list shows. */
    showStatus: (scope: WorkspaceScope, id: string, messageId: string, status: string, options: Pick<Tx, 'session'>) =>
      conversations(scope).updateOne(
        { _id: id, 'lastMessage.id': messageId },
        { $set: { 'lastMessage.status': status } },
        options,
      ),
    markRead: (scope: WorkspaceScope, id: string) =>
      conversations(scope).findOneAndUpdate({ _id: id }, { $set: { unreadCount: 0 } }),
    /** The latest message first. One that was just begun has none yet, and shows once it has. */
    newest: (scope: WorkspaceScope, limit: number): PromiseLike<ConversationRecord[]> =>
      conversations(scope)
        .find({ 'lastMessage.at': { $gt: new Date(0) } })
        .sort({ 'lastMessage.at': -1, _id: -1 })
        .limit(limit)
        .hint('newest'),
  }
}

function stagesOf({ unread, messages, windowExpiresAt, last, reopens }: ConversationChange): Record<string, unknown> {
  return {
    unreadCount: { $add: ['$unreadCount', unread] },
    messageCount: { $add: ['$messageCount', messages] },
    ...(windowExpiresAt && { windowExpiresAt: { $max: ['$windowExpiresAt', windowExpiresAt] } }),
    ...(last && {
      firstMessageAt: { $ifNull: ['$firstMessageAt', last.at] },
      lastMessage: {
        // A text that begins with a dollar sign would be read as an expression.
        $cond: [{ $gte: [last.at, { $ifNull: ['$lastMessage.at', new Date(0)] }] }, { $literal: last }, '$lastMessage'],
      },
    }),
    ...(reopens && { status: 'open' }),
  }
}
