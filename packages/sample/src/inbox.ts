import type { Conversation, ConversationQuery } from '@parley/contracts/inbox/conversations'
import type { Message } from '@parley/contracts/inbox/messages'
import { orderNumberOf, placeOf, planOf } from './conversation-plan.ts'
import { previewOf } from './conversation-thread.ts'
import {
  conversationIdOf,
  createConversation,
  emptyConversation,
  messagesOf,
  type StoredConversation,
} from './conversations.ts'
import type { SampleDataset } from './sample-dataset.ts'

/** The conversation with whom it is with; undefined once the contact is deleted. */
export function conversationOf(sampleDataset: SampleDataset, id: string): Conversation | undefined {
  const stored = sampleDataset.conversations.get(id)
  return stored && withContact(sampleDataset, stored)
}

export function withContact(
  sampleDataset: SampleDataset,
  { contactId, ...conversation }: StoredConversation,
): Conversation | undefined {
  const contact = sampleDataset.contacts.get(contactId)
  if (!contact) return undefined
  const { id, name, phone, tags, blocked } = contact
  return { ...conversation, contact: { id, name, tags, blocked, ...(phone && { phone }) } }
}

/** Every message of a conversation, oldest first; made when it is first read, and changed in place. */
export function threadOf(sampleDataset: SampleDataset, id: string): Message[] {
  const known = sampleDataset.threads.get(id)
  if (known) return known
  const stored = sampleDataset.conversations.get(id)
  const contact = stored && sampleDataset.contacts.get(stored.contactId)
  const thread = stored && contact ? messagesOf(stored, contact) : []
  sampleDataset.threads.set(id, thread)
  return thread
}

/** The conversation with a contact, begun if there is none yet; undefined for a contact that does not exist. */
export function openConversation(sampleDataset: SampleDataset, contactId: string, now: Date): Conversation | undefined {
  const contact = sampleDataset.contacts.get(contactId)
  if (!contact) return undefined
  const id = conversationIdOf(contactId)
  if (!sampleDataset.conversations.has(id)) {
    const plan = planOf(contact)
    sampleDataset.conversations.set(
      id,
      plan ? createConversation(contact, plan, sampleDataset.now) : emptyConversation(contact, now),
    )
  }
  return conversationOf(sampleDataset, id)
}

/** The conversation with a contact as it stands; undefined before the first message. Nothing is begun. */
export function conversationWith(sampleDataset: SampleDataset, contactId: string): Conversation | undefined {
  const contact = sampleDataset.contacts.get(contactId)
  const plan = contact && planOf(contact)
  const stored = sampleDataset.conversations.get(conversationIdOf(contactId))
  const known = stored ?? (plan && createConversation(contact, plan, sampleDataset.now))
  return known && withContact(sampleDataset, known)
}

/** Conversations that match, the latest message first. */
export function findConversations(
  sampleDataset: SampleDataset,
  { q = '', show = 'all', contact }: ConversationQuery,
): StoredConversation[] {
  const matches = q === '' ? () => true : textSearch(sampleDataset, q)
  const found: StoredConversation[] = []
  for (const conversation of sampleDataset.conversations.values())
    if (
      sampleDataset.contacts.has(conversation.contactId) &&
      (contact === undefined || conversation.contactId === contact) &&
      isShown(conversation, show) &&
      matches(conversation)
    )
      found.push(conversation)
  return found.sort((left, right) =>
    left.lastMessage.at === right.lastMessage.at ? 0 : left.lastMessage.at < right.lastMessage.at ? 1 : -1,
  )
}

function isShown({ status, unreadCount }: StoredConversation, show: NonNullable<ConversationQuery['show']>): boolean {
  if (show === 'unread') return unreadCount > 0
  return show === 'all' || (show === 'closed' ? status === 'closed' : status !== 'closed')
}

/** Counts conversations, those that are not closed, and unread messages. */
export function inboxCounts(sampleDataset: SampleDataset): { total: number; unread: number; open: number } {
  const counts = { total: 0, unread: 0, open: 0 }
  for (const { contactId, unreadCount, status } of sampleDataset.conversations.values()) {
    if (!sampleDataset.contacts.has(contactId)) continue
    counts.total += 1
    counts.unread += unreadCount
    if (status !== 'closed') counts.open += 1
  }
  return counts
}

/** Lower case and without accents, so that `zoe` finds Zoë. */
const plain = /^[\0-\x7F]*$/
const fold = (text: string) => (plain.test(text) ? text : text.normalize('NFD').replaceAll(/\p{M}/gu, '')).toLowerCase()

/**
 * Returns whether a conversation's name, phone number or text holds the words. Threads that were never read are not made for it.
 */
function textSearch(sampleDataset: SampleDataset, q: string): (conversation: StoredConversation) => boolean {
  const wanted = fold(q.trim())
  const digits = /^[\d\s+()-]+$/.test(wanted) ? wanted.replaceAll(/\D/g, '') : ''
  const seen = new Map<object, boolean>()
  const saysIt = (part: readonly { readonly content: Message['content'] }[]) => {
    const known = seen.get(part)
    if (known !== undefined) return known
    const says = part.some(({ content }) => fold(previewOf(content)).includes(wanted))
    seen.set(part, says)
    return says
  }
  return (conversation) => {
    const contact = sampleDataset.contacts.get(conversation.contactId)
    if (!contact) return false
    if (fold(contact.name).includes(wanted)) return true
    if (digits !== '' && contact.phone?.includes(digits)) return true
    const thread = sampleDataset.threads.get(conversation.id)
    if (thread) return thread.some(({ content }) => fold(previewOf(content)).includes(wanted))
    if (fold(conversation.lastMessage.text).includes(wanted)) return true
    const plan = planOf(contact)
    if (!plan) return false
    if (fold(orderNumberOf(placeOf(contact.id) ?? 0)) === wanted) return plan.episodes.some((part) => saysOrder(part))
    return plan.episodes.some(saysIt)
  }
}

const saysOrder = (part: readonly { readonly content: Message['content'] }[]) =>
  part.some(({ content }) => previewOf(content).includes('{order}'))
