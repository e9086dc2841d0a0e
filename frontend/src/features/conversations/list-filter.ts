import type { Conversation, ConversationQuery } from '@parley/contracts/conversations'

export type ListFilter = Pick<ConversationQuery, 'q' | 'show' | 'sort' | 'number' | 'tag' | 'owner'>

/** Whether a list with these filters shows the conversation; undefined where only the server can tell. */
export function isListed(filter: ListFilter, conversation: Conversation, ownId: string): boolean | undefined {
  const { contact, numberId, owner } = conversation
  if (filter.number && filter.number !== numberId) return false
  if (filter.tag && !contact.tags.includes(filter.tag)) return false
  if (filter.owner && !isOwnedBy(owner, filter.owner)) return false
  if (!isInView(filter.show ?? 'all', conversation, ownId)) return false
  return filter.q ? undefined : true
}

const isOwnedBy = ({ kind, id }: Conversation['owner'], userId: string) => kind === 'member' && id === userId

function isInView(view: NonNullable<ListFilter['show']>, { status, owner, unreadCount }: Conversation, ownId: string) {
  switch (view) {
    case 'all':
      return true
    case 'mine':
      return isOwnedBy(owner, ownId) && status !== 'closed'
    case 'unassigned':
      return owner.kind === 'nobody' && status !== 'closed'
    case 'unread':
      return unreadCount > 0
    default:
      return status === view
  }
}
