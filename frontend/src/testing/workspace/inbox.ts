import { defaultPageSize } from '@parley/contracts/core/records'
import { type Conversation, conversationsApi } from '@parley/contracts/inbox/conversations'
import { inboxSummaryApi } from '@parley/contracts/inbox/inbox-summary'
import { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import type { Message } from '@parley/contracts/inbox/messages'
import { fillPlaceholders } from '@parley/contracts/templates/placeholders'
import { previewOf } from '@parley/sample/conversation-thread'
import {
  conversationOf,
  conversationWith,
  findConversations,
  inboxCounts,
  openConversation,
  threadOf,
  withContact,
} from '@parley/sample/inbox'
import { answer } from '../answer.ts'
import { pageOf } from '../page-of.ts'
import { refusal } from '../refusal.ts'
import { change, find, now, type Workspace } from './workspace.ts'

/** Conversations and their messages. */
export function inboxHandlers(workspace: Workspace) {
  const { contacts, conversations, templates } = workspace

  function joined(id: string): Conversation {
    const conversation = conversationOf(workspace, id)
    if (!conversation) throw refusal('not_found', 'There is no such conversation.')
    return conversation
  }

  /** Returns the unread count of a conversation that is marked. */
  function unreadOf(id: string, read: boolean | { upTo: string }): number {
    if (typeof read === 'boolean') return read ? 0 : 1
    const thread = threadOf(workspace, id)
    const later = thread.slice(thread.findIndex((message) => message.id === read.upTo) + 1)
    return Math.min(joined(id).unreadCount, later.filter(({ direction }) => direction === 'inbound').length)
  }

  /** Adds a message of the team to the thread, as sent. */
  function send(id: string, fields: Pick<Message, 'content' | 'clientId' | 'replyTo'>) {
    const { history, contact } = joined(id)
    const thread = threadOf(workspace, id)
    const at = now()
    const sent = { direction: 'outbound', status: 'sent' } as const
    const cause = { kind: 'member', id: 'me' } as const
    const message: Message = {
      ...fields,
      ...sent,
      cause,
      id: `${id}-${thread.length + 1}`,
      conversationId: id,
      sentAt: at,
    }
    thread.push(message)
    change(conversations, id, {
      unreadCount: 0,
      lastMessage: { ...sent, text: previewOf(fields.content), at },
      history: { ...history, messages: thread.length, lastActiveAt: at },
    })
    change(contacts, contact.id, { lastContactAt: at })
    return { message, conversation: joined(id) }
  }

  return [
    answer(conversationsApi.list, ({ query }) => {
      const { contact } = query
      // Finding the whole inbox first would make every conversation in it.
      const one = contact === undefined ? undefined : conversationWith(workspace, contact)
      if (contact !== undefined) return pageOf(one ? [one] : [], query)
      const page = pageOf(findConversations(workspace, query), query)
      return { ...page, items: page.items.flatMap((stored) => withContact(workspace, stored) ?? []) }
    }),
    answer(inboxSummaryApi.read, () => inboxCounts(workspace)),
    answer(conversationsApi.read, ({ params }) => joined(params.id)),
    answer(conversationsApi.history, ({ params: { id } }) => {
      const { messages, firstContactAt, lastActiveAt } = joined(id).history
      return { messages, campaigns: 0, firstContactAt, lastActiveAt, notes: [] }
    }),
    answer(conversationsApi.open, ({ body }) => {
      find(contacts, body.contactId)
      return openConversation(workspace, body.contactId, new Date()) as Conversation
    }),
    answer(conversationsApi.update, ({ params: { id }, body: { read, status, snoozedUntil, owner } }) => {
      change(conversations, id, {
        unreadCount: read === undefined ? undefined : unreadOf(id, read),
        status,
        snoozedUntil: snoozedUntil ?? undefined,
        owner: owner ?? undefined,
      })
      return joined(id)
    }),
    answer(conversationsApi.presence, () => undefined),
    answer(messagesApi.list, ({ params: { id }, query }) => {
      joined(id)
      const newestFirst = threadOf(workspace, id).toReversed()
      const { limit = defaultPageSize, after, around } = query
      const index = newestFirst.findIndex((message) => message.id === (after ?? around))
      if (after) {
        const newer = newestFirst.slice(0, index).toReversed()
        return { items: newer.slice(0, limit), nextCursor: null, previousCursor: null, total: newestFirst.length }
      }
      const before = around ? newestFirst[index - Math.ceil(limit / 2)] : undefined
      const page = pageOf(newestFirst, before ? { limit, cursor: `>${before.id}` } : query)
      return { ...page, items: page.items.toReversed() }
    }),
    // Tests that look for words answer themselves: going through every thread would make all of them.
    answer(messagesApi.search, () => ({ items: [], nextCursor: null, searchedTo: null })),
    answer(messagesApi.send, ({ params: { id }, body: { content, clientId, replyTo } }) => {
      const { windowExpiresAt } = joined(id)
      if (!windowExpiresAt || windowExpiresAt <= now()) throw refusal('window_closed', 'Send a template instead.')
      if (content.type !== 'text') throw new Error('Files are not kept here.')
      return send(id, { content, clientId, replyTo })
    }),
    answer(messagesApi.sendTemplate, ({ params, body: { templateId, values, clientId } }) => {
      const { name, body } = find(templates, templateId)
      return send(params.id, {
        content: { type: 'template', templateId, name, text: fillPlaceholders(body, values) },
        clientId,
      })
    }),
  ]
}
