import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type MessageWords, messageWordsSchema } from './message-search.model.ts'

/** Makes messages that are deleted no longer findable. */
export function createRemoveSearchTerms(connection: ServiceConnection) {
  const words = workspaceCollection<MessageWords>({ connection, name: 'messageSearch', schema: messageWordsSchema })
  return (scope: WorkspaceScope, messageIds: readonly string[], { session }: Pick<Tx, 'session'>) =>
    words(scope).deleteMany({ _id: { $in: messageIds } }, { session })
}

/** Messages that are found in another conversation from now on. */
export function createMoveSearchTerms(connection: ServiceConnection) {
  const words = workspaceCollection<MessageWords>({ connection, name: 'messageSearch', schema: messageWordsSchema })
  return (scope: WorkspaceScope, ids: readonly string[], conversationId: string, { session }: Pick<Tx, 'session'>) =>
    words(scope).updateMany({ _id: { $in: ids } }, { $set: { conversationId } }, { session })
}
