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
  }
}
