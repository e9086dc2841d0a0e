import mongoose from 'mongoose'
import { eventLog } from './event-log.ts'
import type { ServiceConnection } from './mongo.ts'

/**
 * Takes out of recorded events what they tell of records that are erased. Numbers of events have no gaps, so each stays and says
 * only that contacts have changed.
 * @param recordIds of contacts and conversations.
 */
export async function redactEvents(
  connection: ServiceConnection,
  workspaceId: string,
  recordIds: readonly string[],
): Promise<void> {
  const { events } = eventLog(connection)
  const about = {
    workspaceId: new mongoose.Types.ObjectId(workspaceId),
    type: { $in: ['contact.changed' as const, 'conversation.changed' as const] },
    recordId: { $in: [...recordIds] },
  }
  const change = {
    $set: { type: 'contacts.changed' as const, data: { count: 1 } },
    $unset: { recordId: 1, version: 1, contactId: 1, conversationId: 1, snapshot: 1 } as const,
  }
  await events.updateMany({ ...about, fresh: true }, change, { hint: 'fresh' })
  await events.updateMany({ ...about, seq: { $exists: true } }, change, { hint: 'number' })
}
