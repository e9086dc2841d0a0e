import type { Message } from '@parley/contracts/inbox/messages'
import { conversationOf, threadOf } from '@parley/sample/inbox'
import { screen, waitFor, within } from '@testing-library/react'
import { expect } from 'vitest'
import { openApp } from './open-app.tsx'
import { eventOf, signedInServer, stubEvents, stubServer } from './stub-server.ts'

/** Opens a conversation, and waits until the page reads the stream of events. */
export async function openLiveInbox() {
  const events = stubEvents()
  const server = stubServer({ ...signedInServer(), 'GET /api/events': () => events.response() })
  await openApp('/conversations?id=conversation-1')
  await screen.findByText('Yes! Is it in stock?')
  await screen.findByRole('list', { name: 'Conversations' })
  await waitFor(() => expect(events.readers()).toBe(1))
  return { events, server }
}

export const rows = () => within(screen.getByRole('list', { name: 'Conversations' })).getAllByRole('link')
export const thread = () => within(screen.getByRole('log', { name: 'Messages' }))

/** Has the customer write: the server stores the message and sends an event. */
export function receive({ workspace }: ReturnType<typeof stubServer>, id: string, text: string) {
  const stored = workspace.conversations.get(id)
  if (!stored) throw new Error('no such conversation')
  const sentAt = new Date().toISOString()
  const message: Message = {
    id: `${id}-news-${text.replaceAll(/\W/g, '')}`,
    conversationId: id,
    direction: 'inbound',
    content: { type: 'text', text },
    cause: { kind: 'customer', id: 'contact-1' },
    sentAt,
    version: 1,
  }
  threadOf(workspace, id).push(message)
  const lastMessage = { text, direction: 'inbound' as const, at: sentAt }
  const unreadCount = stored.unreadCount + 1
  workspace.conversations.set(id, { ...stored, lastMessage, unreadCount, version: stored.version + 1 })
  const conversation = conversationOf(workspace, id)
  return {
    message,
    events: [
      eventOf('conversation.changed', { conversation }),
      eventOf('message.changed', {
        messageId: message.id,
        conversationId: id,
        direction: 'inbound',
        status: null,
        created: true,
      }),
    ],
  }
}
