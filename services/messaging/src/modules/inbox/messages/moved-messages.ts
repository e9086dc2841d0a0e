import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { messagesIn } from './messages.model.ts'

interface Place {
  readonly conversationId: string
  readonly contactId: string
}

/** Messages that change their conversation, since contacts were merged or are two again. */
export function createMovedMessages(connection: ServiceConnection) {
  const messages = messagesIn(connection)
  return {
    /** Ids of some that are in a conversation. @param cameFrom only those that have come from this one. */
    idsIn: async (
      scope: WorkspaceScope,
      conversationId: string,
      limit: number,
      cameFrom?: string,
    ): Promise<string[]> => {
      const found = await messages(scope)
        .find({ conversationId, ...(cameFrom !== undefined && { 'moved.conversationId': cameFrom }) })
        .limit(limit)
        .select('conversationId')
        .hint(cameFrom === undefined ? 'thread' : 'moved')
      return found.map(({ id }) => id)
    },
    /** @param back they return to where they have come from. */
    move: (
      scope: WorkspaceScope,
      ids: readonly string[],
      { from, to, back }: { from: Place; to: Place; back: boolean },
      { session }: Pick<Tx, 'session'>,
    ) =>
      messages(scope).updateMany(
        { _id: { $in: ids }, conversationId: from.conversationId },
        {
          $set: { ...to },
          ...(back ? { $pull: { moved: { conversationId: to.conversationId } } } : { $push: { moved: from } }),
        },
        { session },
      ),
  }
}
