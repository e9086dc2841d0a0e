import type { Message } from '@parley/contracts/inbox/messages'
import { conversationOf, threadOf } from '@parley/sample/inbox'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { openApp } from '../testing/open-app.tsx'
import { errorOf, eventOf, signedInServer, stubEvents, stubServer } from '../testing/stub-server.ts'

// Scrolling elements get the size of a window: without a layout nothing is in view, so every list would be empty.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(400)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(40)
  return () => vi.restoreAllMocks()
})

async function openInbox() {
  const events = stubEvents()
  const server = stubServer({ ...signedInServer(), 'GET /api/events': () => events.response() })
  await openApp('/conversations?id=conversation-1')
  await screen.findByText('Yes! Is it in stock?')
  await screen.findByRole('list', { name: 'Conversations' })
  await waitFor(() => expect(events.readers()).toBe(1))
  return { events, server }
}

const rows = () => within(screen.getByRole('list', { name: 'Conversations' })).getAllByRole('link')
const thread = () => within(screen.getByRole('log', { name: 'Messages' }))

/** Has the customer write: the server stores the message and sends an event. */
function receive({ workspace }: ReturnType<typeof stubServer>, id: string, text: string) {
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

test('what a customer writes shows in the list and in the open thread without a reload', async () => {
  const { events, server } = await openInbox()
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
  const { events, server } = await openInbox()
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
  const { events, server } = await openInbox()
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
  const { events, server } = await openInbox()
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
  const { events, server } = await openInbox()
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

test('a stream that breaks continues after the last event; a reset reads everything again', async () => {
  const { events, server } = await openInbox()
  const first = receive(server, 'conversation-4', 'first')
  events.send('conversation.changed', first.events[0])
  await waitFor(() => expect(rows()[0]?.textContent).toContain('first'))
  events.end()
  await waitFor(() => expect(server.count('GET /api/events')).toBe(2))
  const opened = server.calls.filter(({ path }) => path === '/api/events')
  expect(opened.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '1'])
  await waitFor(() => expect(events.readers()).toBe(1))
  receive(server, 'conversation-4', 'missed meanwhile')
  events.send('reset', {})
  await waitFor(() => expect(rows()[0]?.textContent).toContain('missed meanwhile'))
})

/** A server whose stream opens when the test says so. */
function serverOpenedLater(options?: Parameters<typeof stubServer>[1]) {
  const events = stubEvents()
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const handlers = {
    ...signedInServer(),
    'GET /api/events': async () => {
      await opened
      return events.response()
    },
  }
  const server = stubServer(handlers, options)
  return { server, open }
}

test('what changed between the first read and the opening of the stream is not missed', async () => {
  const { open, server } = serverOpenedLater()
  await openApp('/conversations?id=conversation-1')
  await screen.findByText('Yes! Is it in stock?')
  receive(server, 'conversation-1', 'in between')
  open()
  await waitFor(() => expect(thread().getByText('in between')).toBeTruthy())
})

test('what the server refused is not read again when the stream opens: its words and its button stay', async () => {
  const { server, open } = serverOpenedLater({ records: 100 })
  const reads = (path: string) => server.calls.filter((call) => call.method === 'GET' && call.path === path).length
  await openApp('/contacts?segment=segment-gone')
  const way = await screen.findByRole('button', { name: 'Show all contacts' })
  await screen.findByRole('button', { name: /^VIP/ })
  const [contacts, segments] = [reads('/api/contacts'), reads('/api/segments')]
  open()
  await waitFor(() => expect(reads('/api/segments')).toBe(segments + 1))
  expect(reads('/api/contacts')).toBe(contacts)
  await userEvent.click(way)
  expect(await screen.findByText('1–25 of 100 contacts')).toBeTruthy()
})

test('an answer that was on its way when an event came takes back nothing of it', async () => {
  const { events, server } = await openInbox()
  let arrive = () => {}
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const old = await (await fetch('/api/conversations?limit=50')).json()
  old.items[2].contact.name = 'From the old answer'
  server.answer('GET /api/conversations', async () => {
    await arrival
    return { json: old }
  })
  const reads = server.count('GET /api/conversations')
  events.send('contacts.changed', eventOf('contacts.changed', { count: 2 }))
  await waitFor(() => expect(server.count('GET /api/conversations')).toBeGreaterThan(reads))
  const { events: sent } = receive(server, 'conversation-4', 'told meanwhile')
  events.send('conversation.changed', sent[0])
  await waitFor(() => expect(rows()[0]?.textContent).toContain('told meanwhile'))
  arrive()
  expect(await screen.findByText('From the old answer')).toBeTruthy()
  await waitFor(() => expect(rows()[0]?.textContent).toContain('told meanwhile'))
})

test('an older version of a conversation takes nothing back', async () => {
  const { events, server } = await openInbox()
  const old = receive(server, 'conversation-4', 'older words')
  const { events: sent } = receive(server, 'conversation-4', 'newer words')
  events.send('conversation.changed', sent[0])
  events.send('conversation.changed', old.events[0])
  const marker = receive(server, 'conversation-5', 'marker')
  events.send('conversation.changed', marker.events[0])
  await waitFor(() => expect(rows()[0]?.textContent).toContain('marker'))
  expect(rows()[1]?.textContent).toContain('newer words')
})

test('the stream ends with the session', async () => {
  const { events, server } = await openInbox()
  server.answer('GET /auth/session', () => ({ json: { authenticated: false } }))
  server.answer('GET /api/events', () => ({ status: 401, json: errorOf('unauthenticated', 'Log in.') }))
  events.end()
  await waitFor(() => expect(window.location.pathname).toBe('/login'))
  const asked = server.count('GET /api/events')
  window.dispatchEvent(new Event('online'))
  expect(server.count('GET /api/events')).toBe(asked)
})

test('two kinds of events that come while something is read do not have the page read for ever', async () => {
  const events = stubEvents()
  const server = stubServer({ ...signedInServer(), 'GET /api/events': () => events.response() }, { records: 100 })
  await openApp('/contacts')
  expect(await screen.findByText('1–25 of 100 contacts')).toBeTruthy()
  await waitFor(() => expect(events.readers()).toBe(1))
  // Each read takes so long that the next event meets it.
  const slowly = (path: string) =>
    server.answer(`GET ${path}`, async () => {
      await new Promise((resolve) => setTimeout(resolve, 60))
      return undefined
    })
  slowly('/api/contacts')
  slowly('/api/contact-jobs')
  const reads = () => server.count('GET /api/contacts') + server.count('GET /api/contact-jobs')
  for (let pair = 0; pair < 3; pair += 1) {
    events.send('contacts.changed', eventOf('contacts.changed', { count: 2 }))
    events.send('contact_job.changed', eventOf('contact_job.changed', { jobId: 'job-1' }))
  }
  // Each event reads once, and once more where something was under way: then all is quiet.
  let before = -1
  await waitFor(
    () => {
      const [was, now] = [before, reads()]
      before = now
      expect(now).toBe(was)
    },
    { timeout: 30_000, interval: 1000 },
  )
  expect(reads()).toBeLessThanOrEqual(2 + 2 * 6 * 2)
})
