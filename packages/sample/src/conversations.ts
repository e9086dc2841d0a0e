import type { Contact } from '@parley/contracts/contacts/contacts'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { Message } from '@parley/contracts/inbox/messages'
import { lastInboundAt, type Plan, planOf } from './conversation-plan.ts'
import { createThread, directionOf, filledContent, previewOf } from './conversation-thread.ts'
import { hourMs, team } from './facts.ts'
import { mainNumberId } from './numbers.ts'

/** A conversation as it is stored. Its contact is the contact's own record, so that a new name shows at once. */
export type StoredConversation = Omit<Conversation, 'contact'> & { readonly contactId: string }

/** Time for which free text may be sent after a customer's message. */
const windowMs = 24 * hourMs

/** Conversations of the sample data unless a number of records is given. */
export const storyConversations = 320

const owners: readonly Conversation['owner'][] = [
  { kind: 'nobody' },
  { kind: 'nobody' },
  ...team.map(({ id, name }) => ({ kind: 'member' as const, id, name })),
  { kind: 'bot', id: 'bot-1', name: 'Order status' },
]

export const conversationIdOf = (contactId: string): string => contactId.replace(/^(contact-)?/, 'conversation-')

/**
 * Conversations by id with the contacts heard of last, at most `count`; the latest first. Their messages are made when a
 * thread is first read.
 */
export function createConversations(
  contacts: Iterable<Contact>,
  now: Date,
  count: number,
): Map<string, StoredConversation> {
  const conversations = new Map<string, StoredConversation>()
  for (const contact of contacts) {
    if (conversations.size === count) break
    const plan = planOf(contact)
    if (!plan) continue
    const conversation = createConversation(contact, plan, now)
    conversations.set(conversation.id, conversation)
  }
  return conversations
}

/** The conversation with a contact as the plan has it. */
export function createConversation(contact: Contact, plan: Plan, now: Date): StoredConversation {
  const { random } = plan
  const lastAt = contact.lastContactAt ?? contact.createdAt
  const firstAt = plan.known ? new Date(plan.starts()[0] ?? 0).toISOString() : contact.createdAt
  // Few of a hundred thousand conversations are recent enough for a closer look.
  const recent = Date.parse(lastAt) + windowMs > now.getTime()
  const openUntil = recent ? (lastInboundAt(plan) ?? 0) + windowMs : 0
  const owner = plan.unread > 0 ? owners[0] : random.pick(owners)
  const isClosed = plan.unread === 0 && random.chance(0.3) && openUntil < now.getTime()
  return {
    id: conversationIdOf(contact.id),
    createdAt: firstAt,
    updatedAt: lastAt,
    version: 1,
    contactId: contact.id,
    numberId: contact.tags.includes('support') ? 'number-2' : mainNumberId,
    status: isClosed ? 'closed' : 'open',
    owner: (!isClosed && owner) || { kind: 'nobody' },
    unreadCount: plan.unread,
    lastMessage: lastMessageOf(contact, plan, lastAt),
    ...(openUntil > now.getTime() && { windowExpiresAt: new Date(openUntil).toISOString() }),
    history: { messages: plan.messages, firstContactAt: firstAt, lastActiveAt: lastAt },
  }
}

function lastMessageOf(contact: Contact, plan: Plan, at: string): Conversation['lastMessage'] {
  const line = plan.episodes.at(-1)?.at(-1)
  if (!line) return { text: '', direction: 'outbound', at }
  const direction = directionOf(line)
  return {
    text: previewOf(filledContent(line.content, contact)),
    direction,
    ...(direction === 'outbound' && { status: line.status ?? plan.trailingStatus }),
    at,
  }
}

/** Returns a conversation without messages. */
export const emptyConversation = (contact: Contact, now: Date): StoredConversation => ({
  id: conversationIdOf(contact.id),
  createdAt: now.toISOString(),
  updatedAt: now.toISOString(),
  version: 1,
  contactId: contact.id,
  numberId: mainNumberId,
  status: 'open',
  owner: { kind: 'nobody' },
  unreadCount: 0,
  lastMessage: { text: '', direction: 'outbound', at: now.toISOString() },
  history: { messages: 0, firstContactAt: now.toISOString(), lastActiveAt: now.toISOString() },
})

/** The messages of a conversation, oldest first. */
export function messagesOf(conversation: StoredConversation, contact: Contact): Message[] {
  const plan = planOf(contact)
  return plan ? createThread(conversation.id, contact, plan) : []
}
