import { threadOf } from '@parley/sample/inbox'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openLiveInbox, receive, rows, thread } from '../testing/live-inbox.tsx'
import { eventOf, type stubServer } from '../testing/stub-server.ts'
import { withWindowSize } from '../testing/window-size.ts'

withWindowSize()

test('what a customer writes shows in the list and in the open thread without a reload', async () => {
  const { events, server } = await openLiveInbox()
  const elsewhere = rows()[3]?.querySelector('[dir="auto"]')?.textContent ?? ''
  const { events: sent } = receive(server, 'conversation-4', 'Are you open today?')
  for (const event of sent) events.send(event.type, event)
  await waitFor(() => expect(rows()[0]?.textContent).toContain('Are you open today?'))
  expect(rows()[0]?.textContent).toContain(elsewhere)
  const received = receive(server, 'conversation-1', 'One more question')
  for (const event of received.events) events.send(event.type, event)
  await waitFor(() => expect(thread().getByText('One more question')).toBeTruthy())
})

const readPath = 'PATCH /api/conversations/conversation-1'
const marked = (server: ReturnType<typeof stubServer>) =>
  server.calls.flatMap(({ method, path, body }) =>
    `${method} ${path}` === readPath ? [JSON.parse(body ?? '').read] : [],
  )

test('what arrives in the open conversation is read, up to the message that the event tells of', async () => {
  const { events, server } = await openLiveInbox()
  await waitFor(() => expect(rows()[0]?.textContent).not.toContain('unread'))
  const before = marked(server).length
  // The thread's own read is slower than the events.
  const answered = Promise.withResolvers<void>()
  const thread = '/api/conversations/conversation-1/messages'
  server.answer(`GET ${thread}`, async () => {
    await answered.promise
    const { workspace } = server
    const items = threadOf(workspace, 'conversation-1').slice(-1)
    return { json: { items, nextCursor: null, previousCursor: null, total: items.length } }
  })
  const { message, events: sent } = receive(server, 'conversation-1', 'Are you there?')
  for (const event of sent.toReversed()) events.send(event.type, event)
  await waitFor(() => expect(marked(server).slice(before)).toEqual([{ upTo: message.id }]))
  await waitFor(() => expect(rows()[0]?.textContent).toContain('Are you there?'))
  expect(rows()[0]?.textContent).not.toContain('unread')
  answered.resolve()
  expect(await screen.findByRole('log', { name: 'Messages' })).toBeTruthy()
  await waitFor(() => expect(within(screen.getByRole('log')).getByText('Are you there?')).toBeTruthy())
  const { workspace } = server
  expect(workspace.conversations.get('conversation-1')?.unreadCount).toBe(0)
  expect(marked(server).length).toBe(before + 1)
})

test('what was told of as unread before its message is read once the thread has caught up', async () => {
  const { events, server } = await openLiveInbox()
  await waitFor(() => expect(rows()[0]?.textContent).not.toContain('unread'))
  const { message, events: sent } = receive(server, 'conversation-1', 'Hello again')
  const [conversation, news] = sent
  events.send('conversation.changed', conversation)
  await waitFor(() => expect(rows()[0]?.textContent).toContain('Hello again'))
  events.send('message.changed', news)
  await waitFor(() => expect(marked(server).at(-1)).toEqual({ upTo: message.id }))
  const { workspace } = server
  await waitFor(() => expect(workspace.conversations.get('conversation-1')?.unreadCount).toBe(0))
  await waitFor(() => expect(rows()[0]?.textContent).not.toContain('unread'))
})

test('a message that WhatsApp puts before others is read too: by those that stand behind it', async () => {
  const { events, server } = await openLiveInbox()
  const first = receive(server, 'conversation-1', 'Sent second')
  for (const event of first.events.toReversed()) events.send(event.type, event)
  await waitFor(() => expect(marked(server).at(-1)).toEqual({ upTo: first.message.id }))
  await waitFor(() => expect(rows()[0]?.textContent).not.toContain('unread'))
  const late = receive(server, 'conversation-1', 'Sent first')
  const { workspace } = server
  const messages = threadOf(workspace, 'conversation-1')
  messages.splice(-2, 2, { ...late.message, sentAt: new Date(Date.parse(first.message.sentAt) - 60_000).toISOString() })
  messages.push(first.message)
  for (const event of late.events.toReversed()) events.send(event.type, event)
  await waitFor(() => expect(thread().getByText('Sent first')).toBeTruthy())
  await waitFor(() => expect(workspace.conversations.get('conversation-1')?.unreadCount).toBe(0))
  await waitFor(() => expect(rows()[0]?.textContent).not.toContain('unread'))
})

test('ticks move as the server tells it, and never back', async () => {
  const { events, server } = await openLiveInbox()
  const field = await screen.findByRole('textbox', { name: 'Message' })
  await userEvent.type(field, 'On its way{Enter}')
  const bubble = () => thread().getByText('On its way').closest('li')
  await waitFor(() => expect(bubble()?.querySelector('[aria-label="Sent"]')).toBeTruthy())
  const { workspace } = server
  const messageId = threadOf(workspace, 'conversation-1').at(-1)?.id
  const sendChange = (status: string, version: number) => {
    const data = { messageId, conversationId: 'conversation-1', direction: 'outbound', status }
    events.send('message.changed', eventOf('message.changed', data, version))
  }
  const reads = server.count('GET /api/conversations/conversation-1/messages')
  sendChange('read', 3)
  await waitFor(() => expect(bubble()?.querySelector('[aria-label="Read"]')).toBeTruthy())
  expect(server.count('GET /api/conversations/conversation-1/messages')).toBe(reads)
  sendChange('delivered', 2)
  const marker = receive(server, 'conversation-1', 'after it')
  for (const event of marker.events) events.send(event.type, event)
  await waitFor(() => expect(thread().getByText('after it')).toBeTruthy())
  expect(bubble()?.querySelector('[aria-label="Read"]')).toBeTruthy()
})

test('an older version of a conversation takes nothing back', async () => {
  const { events, server } = await openLiveInbox()
  const old = receive(server, 'conversation-4', 'older words')
  const { events: sent } = receive(server, 'conversation-4', 'newer words')
  events.send('conversation.changed', sent[0])
  events.send('conversation.changed', old.events[0])
  const marker = receive(server, 'conversation-5', 'marker')
  events.send('conversation.changed', marker.events[0])
  await waitFor(() => expect(rows()[0]?.textContent).toContain('marker'))
  expect(rows()[1]?.textContent).toContain('newer words')
})
