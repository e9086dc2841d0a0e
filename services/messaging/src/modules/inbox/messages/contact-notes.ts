import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { TimeSlice } from '../../../platform/time-slice.ts'
import type { InboxService } from '../conversations/inbox.service.ts'
import { type MessageRecord, messagesIn } from './messages.model.ts'

/** Reads members' notes, and unless told otherwise their activities, in the conversations of some contacts, after a place, newest first. */
export function createContactNotes({
  mongo,
  inbox,
}: {
  mongo: ServiceConnection
  inbox: Pick<InboxService, 'visibleWith'>
}) {
  const messages = messagesIn(mongo)
  return async (
    scope: WorkspaceScope,
    contactIds: readonly string[],
    { behind, limit }: TimeSlice,
    { activities = true }: { activities?: boolean } = {},
  ): Promise<MessageRecord[]> => {
    const only = scope.viewer === undefined ? undefined : await inbox.visibleWith(scope, contactIds)
    return messages(scope)
      .find({
        contactId: { $in: contactIds },
        direction: 'note',
        ...(!activities && { 'content.type': { $ne: 'system' }, deletedAt: { $exists: false } }),
        ...(only && { conversationId: { $in: only } }),
        ...(behind && { sentAt: { $lte: behind.at }, $nor: [{ sentAt: behind.at, _id: { $gte: behind.id } }] }),
      })
      .sort({ sentAt: -1, _id: -1 })
      .limit(limit)
      .hint('contact-notes')
  }
}
