import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { conversationsIn } from './conversations.model.ts'

/** Line of a conversation whose latest message is kept no longer. */
const forgotten = 'No longer kept'

/** Takes the words of latest messages that were sent before a time from conversations, which stay in their place. */
export function createForgetLastMessages(connection: ServiceConnection) {
  const conversations = conversationsIn(connection)
  return (scope: WorkspaceScope, ids: readonly string[], before: Date, { session }: Pick<Tx, 'session'>) =>
    conversations(scope).updateMany(
      { _id: { $in: ids }, 'lastMessage.at': { $lt: before }, 'lastMessage.text': { $ne: forgotten } },
      { $set: { 'lastMessage.text': forgotten } },
      { session },
    )
}
