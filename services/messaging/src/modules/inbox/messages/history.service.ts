import { type ConversationHistory, panelNotes } from '@parley/contracts/inbox/conversations'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ConversationsService } from '../conversations/conversations.service.ts'
import type { createContactNotes } from './contact-notes.ts'
import type { MessagesRepository } from './messages.repository.ts'
import { summaryLine } from './summary-line.ts'

/** Reads what is known of a conversation beside its messages, for the panel next to it. */
export function createConversationHistory({
  conversations,
  messageRecords,
  contactNotes,
}: {
  conversations: Pick<ConversationsService, 'readCurrent'>
  messageRecords: Pick<MessagesRepository, 'sentByCampaigns'>
  contactNotes: ReturnType<typeof createContactNotes>
}) {
  /** @throws `not_found`, also for a conversation that the caller does not see; a merged one is answered by the one that has its messages. */
  return async (scope: WorkspaceScope, id: string): Promise<ConversationHistory> => {
    const current = await conversations.readCurrent(scope, id)
    const { contactId, messageCount, firstMessageAt, lastMessage } = current
    const [campaigns, written] = await Promise.all([
      messageRecords.sentByCampaigns(scope, current.id),
      contactNotes(scope, [contactId], { behind: undefined, limit: panelNotes }, { activities: false }),
    ])
    const times = [firstMessageAt, lastMessage?.at, campaigns?.first, campaigns?.last].flatMap(
      (at) => at?.getTime() ?? [],
    )
    const timeOf = (ms: number) => (times.length > 0 ? new Date(ms).toISOString() : null)
    return {
      messages: messageCount + (campaigns?.count ?? 0),
      campaigns: campaigns?.count ?? 0,
      firstContactAt: timeOf(Math.min(...times)),
      lastActiveAt: timeOf(Math.max(...times)),
      notes: written.map((note) => ({
        id: note.id,
        conversationId: note.conversationId,
        at: note.sentAt.toISOString(),
        text: summaryLine(note.content, note.deletedAt),
        ...(note.cause.kind === 'member' && { memberId: note.cause.id }),
      })),
    }
  }
}
