import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { TimeSlice } from '../../../platform/time-slice.ts'
import { type MessageRecord, messageSchema } from './messages.model.ts'

/** Reads members' notes and activities in the conversations of some contacts, after a place, newest first. */
export function createContactNotes(connection: ServiceConnection) {
  const messages = workspaceCollection<MessageRecord>({ connection, name: 'messages', schema: messageSchema })
  return (
    scope: WorkspaceScope,
    contactIds: readonly string[],
    { behind, limit }: TimeSlice,
  ): PromiseLike<MessageRecord[]> =>
    messages(scope)
      .find({
        contactId: { $in: contactIds },
        direction: 'note',
        ...(behind && { sentAt: { $lte: behind.at }, $nor: [{ sentAt: behind.at, _id: { $gte: behind.id } }] }),
      })
      .sort({ sentAt: -1, _id: -1 })
      .limit(limit)
      .hint('contact-notes')
}
