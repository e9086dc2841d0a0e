import type { Conversation, ConversationQuery } from '@parley/contracts/inbox/conversations'
import { isOverdue } from './due.ts'

export type ListFilter = Pick<ConversationQuery, 'q' | 'show' | 'sort' | 'due' | 'number' | 'tag' | 'owner' | 'bot'>

/** Returns whether a list with these filters shows the conversation; undefined where only the server can tell. */
export function isListed(filter: ListFilter, conversation: Conversation, ownId: string): boolean | undefined {
  const { contact, numberId, owner } = conversation
  // One that was just begun shows once it has a message.
  if (conversation.history.messages === 0) return false
  if (filter.number && filter.number !== numberId) return false
  if (filter.tag && !contact.tags.includes(filter.tag)) return false
  if (filter.owner && !isOwnedBy(owner, filter.owner)) return false
  if (filter.bot && !(owner.kind === 'bot' && owner.id === filter.bot)) return false
  if (filter.due && !isOverdue(conversation, new Date())) return false
  const isShown = isInView(filter.show ?? 'all', conversation, ownId)
  return isShown && filter.q ? undefined : isShown
}

const isOwnedBy = ({ kind, id }: Conversation['owner'], userId: string) => kind === 'member' && id === userId

function isInView(view: NonNullable<ListFilter['show']>, { status, owner, unreadCount }: Conversation, ownId: string) {
  switch (view) {
    case 'all':
      return true
    case 'mine':
      return isOwnedBy(owner, ownId) && status === 'open'
    case 'mentions':
      // Conversations do not say whom their notes mention.
      return undefined
    case 'unassigned':
      return owner.kind === 'nobody' && status === 'open'
    case 'unread':
      return unreadCount > 0
    default:
      return status === view
  }
}
