import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { type MessageRecord, messagesIn } from './messages.model.ts'

/** Finds messages of a number that were sent before a time: none of the sample data, and none that is still to leave. */
export function createOldMessages(connection: ServiceConnection) {
  const messages = messagesIn(connection)
  const before = (numberId: string, at: Date) => ({
    numberId,
    sentAt: { $lt: at },
    sendLane: { $exists: false },
    sample: { $ne: true as const },
  })
  return {
    /** The oldest first. */
    some: (scope: WorkspaceScope, numberId: string, at: Date, limit: number): PromiseLike<MessageRecord[]> =>
      messages(scope).find(before(numberId, at)).sort({ sentAt: 1, _id: 1 }).limit(limit).hint('by-number'),
    /** Counts them, and those of the sample data with them, from the keys of an index. */
    count: (scope: WorkspaceScope, numberId: string, at: Date, limit: number): Promise<number> =>
      messages(scope).countDocuments({ numberId, sentAt: { $lt: at } }, { hint: 'by-number', limit }),
  }
}
