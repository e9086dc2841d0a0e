import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { type MessageRecord, messagesIn } from './messages.model.ts'

const pageSize = 500

interface Place {
  readonly at: Date
  readonly id: string
}

/** Reads all messages of one conversation. */
export function createChatMessages(connection: ServiceConnection) {
  const messages = messagesIn(connection)

  const page = (
    scope: WorkspaceScope,
    conversationId: string,
    after: Place | undefined,
  ): PromiseLike<MessageRecord[]> =>
    messages(scope)
      .find({
        conversationId,
        ...(after && { sentAt: { $gte: after.at }, $nor: [{ sentAt: after.at, _id: { $lte: after.id } }] }),
      })
      .sort({ sentAt: 1, _id: 1 })
      .limit(pageSize)
      .hint('thread')

  /** Returns the place behind which the `newest` newest messages begin; undefined where there are no more than that. */
  async function placeBefore(
    scope: WorkspaceScope,
    conversationId: string,
    newest: number,
  ): Promise<Place | undefined> {
    let count = 0
    const keys = messages(scope)
      .find({ conversationId })
      .sort({ sentAt: -1, _id: -1 })
      .limit(newest + 1)
      .select('sentAt')
      .hint('thread')
    for await (const { id, sentAt } of keys) {
      count += 1
      if (count > newest) return { at: sentAt, id }
    }
    return undefined
  }

  return {
    count: (scope: WorkspaceScope, conversationId: string): Promise<number> =>
      messages(scope).countDocuments({ conversationId }, { hint: 'thread' }),
    /** The newest messages, the oldest of them first, page by page. What comes meanwhile is left out. */
    async *pages(scope: WorkspaceScope, conversationId: string, newest: number): AsyncGenerator<MessageRecord[]> {
      let after = await placeBefore(scope, conversationId, newest)
      let left = newest
      while (left > 0) {
        const records = (await page(scope, conversationId, after)).slice(0, left)
        const last = records.at(-1)
        if (!last) return
        yield records
        left -= records.length
        after = { at: last.sentAt, id: last.id }
      }
    },
    readMany: (scope: WorkspaceScope, ids: readonly string[]): PromiseLike<MessageRecord[]> =>
      messages(scope).find({ _id: { $in: ids } }),
  }
}
export type ChatMessages = ReturnType<typeof createChatMessages>
