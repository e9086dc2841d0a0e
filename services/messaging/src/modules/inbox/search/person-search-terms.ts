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
