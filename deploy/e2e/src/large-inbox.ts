import type { PageOf } from '@parley/contracts/core/records'
import type { Conversation } from '@parley/contracts/inbox/conversations'
import type { Message } from '@parley/contracts/inbox/messages'
import type { Page } from '@playwright/test'

const start = Date.parse('2026-01-01T00:00:00.000Z')
const minuteMs = 60_000
const pageSize = 50
const timeOf = (minute: number) => new Date(start + minute * minuteMs).toISOString()

/**
 * Answers the page's reads of the inbox from one that is larger than a journey could write: to see that the screen stays
 * smooth with it.
 * @param thread id of the conversation that has all the messages.
 */
export async function answerFromLargeInbox(
  page: Page,
  { conversations, messages, thread }: { conversations: number; messages: number; thread: string },
): Promise<void> {
  const conversationOf = (index: number): Conversation => {
    const at = timeOf(conversations - index)
    return {
      id: index === 0 ? thread : `large-${index}`,
      createdAt: at,
      updatedAt: at,
      version: 1,
      contact: { id: `contact-${index}`, name: `Customer ${index}`, phone: '+919876543210', tags: [] },
      numberId: 'number-1',
      status: 'open',
      owner: { kind: 'nobody' },
      unreadCount: 0,
      lastMessage: { text: `Words of ${index}`, direction: 'inbound', at },
      windowExpiresAt: '2100-01-01T00:00:00.000Z',
      history: { messages, firstContactAt: at, lastActiveAt: at },
    }
  }
  const messageOf = (index: number): Message => ({
    id: `message-${index}`,
    conversationId: thread,
    version: 1,
    direction: index % 3 === 0 ? 'outbound' : 'inbound',
    content: {
      type: 'text',
      text: index === 0 ? 'The newest message' : `Message ${index}. ${'Words. '.repeat(index % 30)}`,
    },
    ...(index % 3 === 0 && { status: 'read' as const }),
    cause: { kind: index % 3 === 0 ? 'member' : 'customer', id: 'somebody' },
    sentAt: timeOf(messages - index),
  })
  const pageOf = <T>(total: number, cursor: string | null, itemOf: (index: number) => T): PageOf<T> => {
    const first = Number(cursor ?? 0)
    const count = Math.min(pageSize, total - first)
    return {
      items: Array.from({ length: count }, (_, index) => itemOf(first + index)),
      nextCursor: first + count < total ? String(first + count) : null,
      previousCursor: first > 0 ? String(Math.max(0, first - pageSize)) : null,
      total,
    }
  }
  await page.route(/\/api\/conversations(\/|\?|$)/, async (route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    const cursor = searchParams.get('cursor')
    if (pathname === '/api/conversations') return route.fulfill({ json: pageOf(conversations, cursor, conversationOf) })
    if (pathname === `/api/conversations/${thread}`) return route.fulfill({ json: conversationOf(0) })
    if (pathname.endsWith('/messages')) {
      const read = pageOf(messages, cursor, messageOf)
      return route.fulfill({ json: { ...read, items: read.items.reverse() } })
    }
    if (pathname.endsWith('/summary'))
      return route.fulfill({ json: { total: conversations, open: conversations, unread: 0 } })
    return route.fulfill({ status: 204 })
  })
}
