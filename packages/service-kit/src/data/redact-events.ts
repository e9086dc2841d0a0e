import mongoose from 'mongoose'
import { eventLog } from './event-log.ts'
import type { ServiceConnection } from './mongo.ts'

/**
 * Removes from recorded events what they contain about records that are erased. Numbers of events have no gaps, so each stays: those about
 * these records say only that contacts have changed, and others lose what was said and their snapshot.
 * @param recordIds of contacts and conversations.
 */
export async function redactEvents(
  connection: ServiceConnection,
  workspaceId: string,
  recordIds: readonly string[],
): Promise<void> {
  const { events } = eventLog(connection)
  const inWorkspace = { workspaceId: new mongoose.Types.ObjectId(workspaceId) }
  const erased = { $in: [...recordIds] }
  const about = {
    ...inWorkspace,
    type: { $in: ['contact.changed' as const, 'conversation.changed' as const] },
    recordId: erased,
  }
  const change = {
    $set: { type: 'contacts.changed' as const, data: { count: 1 } },
    $unset: { recordId: 1, version: 1, contactId: 1, conversationId: 1, snapshot: 1 } as const,
  }
  const others = { ...inWorkspace, $or: [{ contactId: erased }, { conversationId: erased }] }
  const withoutFacts = { $unset: { snapshot: 1, 'data.said': 1, 'data.did': 1 } as const }
  for (const [part, hint] of [
    [{ fresh: true as const }, 'fresh'],
    [{ seq: { $exists: true } }, 'number'],
  ] as const) {
    await events.updateMany({ ...about, ...part }, change, { hint })
    await events.updateMany({ ...others, ...part }, withoutFacts, { hint })
  }
}
