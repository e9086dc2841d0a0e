import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type MessageRecord, messagesIn } from './messages.model.ts'

/** Reads the messages that one person has written and was sent. */
export function createPersonMessages(connection: ServiceConnection) {
  const messages = messagesIn(connection)
  return {
    some: (scope: WorkspaceScope, conversationIds: readonly string[], limit: number): PromiseLike<MessageRecord[]> =>
      messages(scope)
        .find({ conversationId: { $in: conversationIds } })
        .limit(limit)
        .hint('thread'),
    /** The newest of each conversation first; read one by one. */
    all: (scope: WorkspaceScope, conversationIds: readonly string[]): AsyncIterable<MessageRecord> =>
      messages(scope)
        .find({ conversationId: { $in: conversationIds } })
        .sort({ conversationId: 1, sentAt: -1, _id: -1 })
        .hint('thread'),
    byIds: (scope: WorkspaceScope, ids: readonly string[], { session }: Pick<Tx, 'session'>) =>
      messages(scope)
        .find({ _id: { $in: ids } })
        .session(session),
    remove: (scope: WorkspaceScope, ids: readonly string[], { session }: Pick<Tx, 'session'>) =>
      messages(scope).deleteMany({ _id: { $in: ids } }, { session }),
    /** Returns whether a message of another conversation has the same file, on one of its cards too. */
    hasFileElsewhere: async (
      scope: WorkspaceScope,
      mediaId: string,
      conversationIds: readonly string[],
    ): Promise<boolean> => {
      const has = async (path: string, hint: string) => {
        const elsewhere = { [path]: mediaId, conversationId: { $nin: conversationIds } }
        return (await messages(scope).countDocuments(elsewhere, { hint, limit: 1 })) > 0
      }
      return (await has('content.mediaId', 'file')) || (await has('content.cards.header.mediaId', 'card-file'))
    },
  }
}

/** The file of a message. */
export const mediaOf = ({ content: { mediaId } }: Pick<MessageRecord, 'content'>): string[] =>
  typeof mediaId === 'string' ? [mediaId] : []
