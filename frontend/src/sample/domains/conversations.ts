import { contactJobsApi } from '@parley/contracts/contacts/contact-jobs'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { defaultPageSize } from '@parley/contracts/core/records'
import { type Conversation, conversationsApi } from '@parley/contracts/inbox/conversations'
import { inboxSummaryApi } from '@parley/contracts/inbox/inbox-summary'
import { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import type { Message, MessageContent } from '@parley/contracts/inbox/messages'
import { fillPlaceholders } from '@parley/contracts/templates/placeholders'
import { previewOf } from '@parley/sample/conversation-thread'
import type { StoredConversation } from '@parley/sample/conversations'
import {
  conversationOf,
  conversationWith,
  findConversations,
  inboxCounts,
  openConversation,
  threadOf,
  withContact,
} from '@parley/sample/inbox'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { answer, refusal } from '../answer.ts'
import { addJob, chatExportsOf } from '../contacts/jobs.ts'
import { pageOf } from '../page-of.ts'
import { withoutAbsent } from '../without-absent.ts'

const noConversation = () => refusal('not_found', 'There is no such conversation.')

function joined(sampleDataset: SampleDataset, id: string): Conversation {
  const conversation = conversationOf(sampleDataset, id)
  if (!conversation) throw noConversation()
  return conversation
}

function contactOf(sampleDataset: SampleDataset, id: string): Contact {
  const contact = sampleDataset.contacts.get(id)
  if (!contact) throw refusal('not_found', 'There is no such contact.')
  return contact
}

/** Changes a conversation as the server would. */
function change(sampleDataset: SampleDataset, id: string, patch: Partial<StoredConversation>): Conversation {
  const stored = sampleDataset.conversations.get(id)
  if (!stored) throw noConversation()
  const updatedAt = new Date().toISOString()
  sampleDataset.conversations.set(id, { ...stored, ...patch, updatedAt, version: stored.version + 1 })
  return joined(sampleDataset, id)
}

/** Returns the unread count of a conversation that is marked. */
function unreadOf(sampleDataset: SampleDataset, id: string, read: boolean | { upTo: string }): number {
  if (typeof read === 'boolean') return read ? 0 : 1
  const thread = threadOf(sampleDataset, id)
  const place = thread.findIndex((message) => message.id === read.upTo)
  if (place === -1) throw refusal('not_found', 'There is no such message.')
  const later = thread.slice(place + 1).filter(({ direction }) => direction === 'inbound')
  return Math.min(joined(sampleDataset, id).unreadCount, later.length)
}

/** A message from the team joins the thread as sent. */
function sendFrom(
  sampleDataset: SampleDataset,
  id: string,
  {
    content,
    direction = 'outbound',
    ...given
  }: { content: MessageContent; direction?: 'outbound' | 'note' } & Pick<Message, 'clientId' | 'replyTo'>,
): { message: Message; conversation: Conversation } {
  const { contact, history } = joined(sampleDataset, id)
  const thread = threadOf(sampleDataset, id)
  const sentAt = new Date().toISOString()
  const message: Message = {
    id: `${id}-${thread.length + 1}`,
    conversationId: id,
    direction,
    content,
    ...withoutAbsent(given),
    ...(direction === 'outbound' && { status: 'sent' }),
    cause: { kind: 'member', id: 'me' },
    sentAt,
  }
  thread.push(message)
  change(sampleDataset, id, {
    unreadCount: 0,
    ...(direction === 'outbound' && {
      lastMessage: { text: previewOf(content), direction, status: 'sent', at: sentAt },
    }),
    history: { ...history, messages: thread.length, lastActiveAt: sentAt },
  })
  sampleDataset.contacts.set(contact.id, { ...contactOf(sampleDataset, contact.id), lastContactAt: sentAt })
  return { message, conversation: joined(sampleDataset, id) }
}

export const answers = [
  answer(conversationsApi.list, ({ query }, sampleDataset) => {
    if (query.contact) {
      // Finding the whole inbox first would make every conversation in it.
      const conversation = conversationWith(sampleDataset, query.contact)
      return pageOf(conversation ? [conversation] : [], query)
    }
    const page = pageOf(findConversations(sampleDataset, query), query)
    return { ...page, items: page.items.flatMap((stored) => withContact(sampleDataset, stored) ?? []) }
  }),
  answer(inboxSummaryApi.read, (_, sampleDataset) => inboxCounts(sampleDataset)),
  answer(conversationsApi.read, ({ params }, sampleDataset) => joined(sampleDataset, params.id)),
  answer(conversationsApi.open, ({ body }, sampleDataset) => {
    const conversation = openConversation(sampleDataset, body.contactId, new Date())
    if (!conversation) throw refusal('not_found', 'There is no such contact.')
    return conversation
  }),
  answer(messagesApi.list, ({ params, query }, sampleDataset) => {
    joined(sampleDataset, params.id)
    const newestFirst = threadOf(sampleDataset, params.id).toReversed()
    const { limit = defaultPageSize, after, around } = query
    const place = newestFirst.findIndex(({ id }) => id === (after ?? around))
    if (after) {
      const newer = newestFirst.slice(0, place).toReversed()
      return { items: newer.slice(0, limit), nextCursor: null, previousCursor: null, total: newestFirst.length }
    }
    const before = around ? newestFirst[place - Math.ceil(limit / 2)] : undefined
    const page = pageOf(newestFirst, before ? { limit, cursor: `>${before.id}` } : query)
    return { ...page, items: page.items.toReversed() }
  }),
  answer(messagesApi.send, ({ params, body }, sampleDataset) => {
    const { windowExpiresAt } = joined(sampleDataset, params.id)
    if (!windowExpiresAt || Date.parse(windowExpiresAt) <= Date.now())
      throw refusal(
        'window_closed',
        'More than 24 hours have passed since the customer wrote. Send a template instead.',
      )
    if (body.content.type !== 'text') throw refusal('wrong_state', 'Sample data takes text only.')
    const { content, clientId, replyTo } = body
    return sendFrom(sampleDataset, params.id, { content, clientId, replyTo })
  }),
  answer(messagesApi.sendTemplate, ({ params, body }, sampleDataset) => {
    const template = sampleDataset.templates.get(body.templateId)
    if (template?.status !== 'approved') throw refusal('template_not_approved', 'This template is not approved.')
    const { id: templateId, name } = template
    const text = fillPlaceholders(template.body, body.values)
    return sendFrom(sampleDataset, params.id, {
      content: { type: 'template', templateId, name, text },
      clientId: body.clientId,
    })
  }),
  answer(conversationsApi.update, ({ params, body: { read, status, snoozedUntil, owner } }, sampleDataset) =>
    change(sampleDataset, params.id, {
      ...(read !== undefined && { unreadCount: unreadOf(sampleDataset, params.id, read) }),
      ...(status && { status }),
      ...(snoozedUntil && { snoozedUntil }),
      ...(owner && { owner }),
    }),
  ),
  answer(messagesApi.note, ({ params, body: { text, clientId } }, sampleDataset) =>
    sendFrom(sampleDataset, params.id, { content: { type: 'text', text }, direction: 'note', clientId }),
  ),
  answer(messagesApi.react, ({ params, body: { emoji } }, sampleDataset) => {
    const thread = threadOf(sampleDataset, params.id)
    const place = thread.findIndex(({ id }) => id === params.messageId)
    const message = thread[place]
    if (!message) throw refusal('not_found', 'There is no such message.')
    const own = emoji === '' ? [] : [{ by: 'member' as const, emoji, at: new Date().toISOString() }]
    const reactions = [...(message.reactions ?? []).filter(({ by }) => by !== 'member'), ...own]
    const changed = { ...message, reactions, version: (message.version ?? 1) + 1 }
    thread[place] = changed
    return changed
  }),
  answer(messagesApi.passport, ({ params }, sampleDataset) => {
    const message = threadOf(sampleDataset, params.id).find(({ id }) => id === params.messageId)
    if (!message) throw refusal('not_found', 'There is no such message.')
    return { message, timeline: [{ at: message.sentAt, kind: 'created', text: 'Written' }] }
  }),
  answer(contactJobsApi.exportChat, ({ params, body: { format } }, sampleDataset) => {
    const { id, contact } = joined(sampleDataset, params.id)
    const done = threadOf(sampleDataset, id).length
    const file = {
      name: `WhatsApp chat with ${contact.name}.${format === 'text' ? 'txt' : 'zip'}`,
      sizeBytes: done * 80,
    }
    return addJob(sampleDataset, { task: { kind: 'chat_export', format, conversationId: id }, done, file })
  }),
  answer(contactJobsApi.chatExports, ({ params }, sampleDataset) => ({
    items: chatExportsOf(sampleDataset, params.id),
  })),
  answer(conversationsApi.presence, () => undefined),
  answer(messagesApi.search, ({ query }, sampleDataset) => {
    const wanted = query.q.toLowerCase()
    const ids = query.conversation ? [query.conversation] : [...sampleDataset.conversations.keys()].slice(0, 100)
    const items = ids.flatMap((id) => {
      const { contact, status } = joined(sampleDataset, id)
      const found = threadOf(sampleDataset, id).filter(({ content }) =>
        previewOf(content).toLowerCase().includes(wanted),
      )
      return found.map((message) => ({ message, conversation: { id, contact, status } }))
    })
    return { items: items.slice(0, 50), nextCursor: null, searchedTo: null }
  }),
]
