import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { conversationIdOf } from './conversation-id.ts'
import { conversationsIn } from './conversations.model.ts'

/** The conversations of one person. */
export function createPersonConversations(connection: ServiceConnection) {
  const conversations = conversationsIn(connection)
  return {
    /** Returns ids of conversations, also of those without a record: campaigns write messages without one. */
    idsOf: async (scope: WorkspaceScope, contactId: string, numberIds: readonly string[]): Promise<string[]> => {
      const found = await conversations(scope).find({ contactId }).hint('pair')
      const possible = numberIds.map((numberId) => conversationIdOf({ numberId, contactId }))
      return [...new Set([...found.map(({ id }) => id), ...possible])]
    },
    remove: (scope: WorkspaceScope, contactId: string) => conversations(scope).deleteMany({ contactId }),
  }
}
