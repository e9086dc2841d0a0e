import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { Message } from '@parley/contracts/inbox/messages'
import { writtenPhone } from '@parley/phone'

/** A conversation by the field names of the screens. */
export const conversationFields = ({ id, contact, lastMessage, unreadCount }: Conversation) => ({
  id,
  name: contact.name,
  phone: contact.phone ? writtenPhone(contact.phone) : '',
  lastMessage: lastMessage.text,
  timestamp: lastMessage.at,
  unread: unreadCount,
})

const delivery = { queued: null, sent: 'sent', delivered: 'delivered', read: 'read', failed: null } as const

/** A message by the field names of the screens; `status` is null until it is sent, and on what came in. */
export const messageFields = ({ content, direction, status, sentAt }: Message) => ({
  content,
  isSent: direction === 'outbound',
  timestamp: sentAt,
  status: direction === 'outbound' && status ? delivery[status] : null,
})
