import { conversationOf, threadOf } from '@parley/sample/inbox'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { pressUndo } from '../../testing/press-undo.ts'
import { errorOf, eventOf, signedInServer, stubEvents, stubServer, unavailable } from '../../testing/stub-server.ts'
import { withWindowSize } from '../../testing/window-size.ts'
import { setOpensNext } from './use-finish.ts'

withWindowSize()

async function openInbox(query = '', options: Parameters<typeof stubServer>[1] = {}) {
  const server = stubServer(signedInServer(), options)
  await openApp(`/conversations${query}`)
  await screen.findByRole('heading', { level: 1, name: 'Conversations' })
  return server
}

const rows = () => within(screen.getByRole('list', { name: 'Conversations' })).getAllByRole('link')
const field = () => screen.findByRole('textbox', { name: 'Message' })
const messages = () => screen.findByRole('log', { name: 'Messages' })

test('rows, thread and panel show whom, what and when', async () => {
  await openInbox('?id=conversation-1&panel=details')
  expect(await screen.findByText('Yes! Is it in stock?')).toBeTruthy()
  const [first, second] = rows()
  expect(first?.textContent).toContain('Priya Sharma')
  expect(first?.getAttribute('aria-current')).toBe('true')
  expect(second?.textContent).toContain('1 unread')
  await waitFor(() => expect(rows()[0]?.textContent).not.toContain('unread'))
  const panel = within(screen.getByRole('complementary', { name: 'Contact details' }))
  for (const name of ['Add Tag', 'Assign to Bot', 'Export Chat'])
    expect(panel.getByRole('button', { name })).toBeTruthy()
  for (const word of ['Total messages', 'First contact', 'Last active']) expect(panel.getByText(word)).toBeTruthy()
})

test('the inbox opens without a conversation, and marks nothing as read', async () => {
  const server = await openInbox()
  expect(await screen.findByText('Choose a conversation to open it here.')).toBeTruthy()
  await screen.findByRole('list', { name: 'Conversations' })
  expect(rows()[0]?.textContent).toContain('unread')
  expect(window.location.search).toBe('')
  expect(server.calls.filter(({ method }) => method === 'PATCH')).toEqual([])
  const [first] = rows()
  if (first) await userEvent.click(first)
  await waitFor(() => expect(rows()[0]?.textContent).not.toContain('unread'))
})

test('Enter sends the trimmed text as sent; while a word is being composed, or with spaces only, it does not', async () => {
  await openInbox('?id=conversation-1')
  const text = await field()
  await userEvent.type(text, '   {Enter}')
  fireEvent.change(text, { target: { value: '  *お茶*  ' } })
  fireEvent.keyDown(text, { key: 'Enter', isComposing: true })
  fireEvent.keyDown(text, { key: 'Enter', keyCode: 229 })
  fireEvent.keyDown(text, { key: 'Enter', shiftKey: true })
  expect(within(await messages()).queryByText('お茶')).toBeNull()
  fireEvent.keyDown(text, { key: 'Enter' })
  const thread = within(await messages())
  await waitFor(() => {
    const bubble = thread.getByText('お茶').closest('li')
    expect(bubble?.querySelector('[aria-label="Sent"]')).toBeTruthy()
  })
  expect(text).toHaveProperty('value', '')
  await waitFor(() => expect(rows()[0]?.textContent).toContain('お茶'))
  // Formatted as in the thread.
  expect(rows()[0]?.textContent).not.toContain('*')
})

test('a contact that a colleague merges into another one leads on to that thread, with what one was typing', async () => {
  const server = stubServer(signedInServer())
  const events = stubEvents()
  server.answer('GET /api/events', () => events.response())
  await openApp('/conversations?id=conversation-2')
  await userEvent.type(await field(), 'Half a thought')
  await waitFor(() => expect(events.readers()).toBe(1))
  const into = await (await fetch('/api/conversations/conversation-1')).json()
  server.answer('GET /api/conversations/conversation-2', () => ({ json: into }))
  const merged = eventOf('contact.merged', { contactId: 'contact-1', otherId: 'contact-2' })
  events.send('contact.merged', merged)
  await waitFor(() => expect(window.location.search).toBe('?id=conversation-1'))
  expect(await screen.findByText('Yes! Is it in stock?')).toBeTruthy()
  expect(await field()).toHaveProperty('value', 'Half a thought')
})

test('a text that is too long is counted and not sent', async () => {
  await openInbox('?id=conversation-1')
  const text = await field()
  fireEvent.change(text, { target: { value: 'x'.repeat(4_310) } })
  expect(await screen.findByText(/4,310 of 4,096 characters: 214 too many/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Send message' })).toHaveProperty('disabled', true)
  fireEvent.change(text, { target: { value: 'x'.repeat(4_096) } })
  expect(screen.getByRole('button', { name: 'Send message' })).toHaveProperty('disabled', false)
})

test('a text that the server refuses stays in the thread with the reason, and goes out once it can', async () => {
  const server = await openInbox('?id=conversation-1')
  const closed = errorOf('window_closed', 'The window has closed. Send a template instead.')
  server.answer('POST /api/conversations/conversation-1/messages', () => ({ status: 409, json: closed }))
  const text = await field()
  await userEvent.type(text, 'Too late{Enter}')
  const bubble = within(await screen.findByText('Too late').then((words) => words.closest('li') ?? document.body))
  expect(await bubble.findByText(/Send a template instead/)).toBeTruthy()
  expect(text).toHaveProperty('value', '')
  server.answer('POST /api/conversations/conversation-1/messages', () => {
    const conversation = conversationOf(server.workspace, 'conversation-1')
    const sent = {
      ...threadOf(server.workspace, 'conversation-1')[0],
      id: 'sent',
      content: { type: 'text', text: 'Too late' },
    }
    return { status: 201, json: { message: { ...sent, direction: 'outbound', status: 'sent' }, conversation } }
  })
  await userEvent.click(bubble.getByRole('button', { name: 'Retry' }))
  const thread = within(await messages())
  expect(await thread.findByLabelText('Sent')).toBeTruthy()
  expect(thread.getAllByText('Too late')).toHaveLength(1)
})

test('what is being written outlives a reload in its conversation, and not the end of the session', async () => {
  await openInbox('?id=conversation-1')
  await userEvent.type(await field(), 'half a thought')
  await openApp('/conversations?id=conversation-2', { keepStorage: true })
  expect(await field()).toHaveProperty('value', '')
  await openApp('/conversations?id=conversation-1', { keepStorage: true })
  expect(await field()).toHaveProperty('value', 'half a thought')
  stubServer({ ...signedInServer(), 'GET /auth/session': () => ({ json: { authenticated: false } }) })
  await openApp('/conversations?id=conversation-1', { keepStorage: true })
  await waitFor(() => expect(window.location.pathname).toBe('/login'))
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('half a thought')
})

test('Edit Contact Name saves a trimmed name that is not empty, everywhere', async () => {
  const server = await openInbox('?id=conversation-2')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit contact name' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('Edit Contact Name')).toBeTruthy()
  const name = dialog.getByLabelText('Contact Name')
  await userEvent.clear(name)
  await userEvent.type(name, '   ')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText('Enter a name')).toBeTruthy()
  await userEvent.clear(name)
  await userEvent.type(name, '  Rahul V ')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('heading', { level: 2, name: 'Rahul V' })).toBeTruthy()
  await waitFor(() => expect(server.workspace.contacts.get('contact-2')?.name).toBe('Rahul V'))
  await waitFor(() => expect(rows()[1]?.textContent).toMatch(/Rahul V\d/))
})

test('a member of the team is given the conversation, and it is taken back', async () => {
  await openInbox('?id=conversation-1&panel=details')
  const panel = within(await screen.findByRole('complementary', { name: 'Contact details' }))
  // The menu's own button: until that is loaded another one stands there, which goes in the middle of a press.
  await userEvent.click(await panel.findByRole('button', { name: 'Assign to Member', expanded: false }))
  await userEvent.click(await screen.findByText('Arjun Rao (admin)'))
  expect((await panel.findByText('Arjun Rao')).closest('p')?.textContent).toBe('With Arjun Rao')
  await userEvent.click(panel.getByRole('button', { name: 'Assign to Member' }))
  await userEvent.click(await screen.findByText('Unassign'))
  await waitFor(() => expect(panel.queryByText('Arjun Rao')).toBeNull())
})

test('a menu that is pressed before its code is there opens once it is', async () => {
  const mayCome = Promise.withResolvers<void>()
  const late = async <T,>(original: () => Promise<T>) => {
    await mayCome.promise
    return original()
  }
  vi.doMock('./details/snooze-menu.tsx', (original) => late(original<object>))
  vi.doMock('./details/assign-menus.tsx', (original) => late(original<object>))
  await openInbox('?id=conversation-1&panel=details')
  await userEvent.click(await screen.findByRole('button', { name: 'Snooze conversation' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Assign to Member' }))
  mayCome.resolve()
  expect(await screen.findByText('For 1 hour')).toBeTruthy()
  expect(await screen.findByText('Arjun Rao (admin)')).toBeTruthy()
  vi.doUnmock('./details/snooze-menu.tsx')
  vi.doUnmock('./details/assign-menus.tsx')
})

test('the sidebar says how much is unread', async () => {
  await openInbox('?id=conversation-4')
  const nav = within(screen.getByRole('navigation', { name: 'Main navigation' }))
  const link = nav.getByRole('link', { name: 'Conversation' })
  const described = () => document.getElementById(link.getAttribute('aria-describedby') ?? '')?.textContent
  await waitFor(() => expect(described()).toMatch(/^\d+ unread$/))
})

test('each state has its words: nothing yet, no match, not found, failed', async () => {
  await openInbox('', { records: 0 })
  expect(await screen.findByText('No conversations yet')).toBeTruthy()
  await openInbox('?q=zzzz')
  expect(await screen.findByText('Nothing matches “zzzz”.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(await screen.findByText('Priya Sharma')).toBeTruthy()
  await openInbox('?id=nobody')
  expect(await screen.findByText('This conversation could not be found')).toBeTruthy()
  const server = stubServer({ ...signedInServer(), 'GET /api/conversations': unavailable })
  await openApp('/conversations')
  expect(await screen.findByText('The conversations could not be loaded')).toBeTruthy()
  server.answer('GET /api/conversations', () => undefined)
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Priya Sharma')).toBeTruthy()
})

const openId = () => new URLSearchParams(window.location.search).get('id')
const rowNames = () => rows().map((row) => row.textContent?.slice(2, 14))

test('the list shows what is open; a closed conversation leaves it, the next one opens, and Undo brings it back', async () => {
  await openInbox('?id=conversation-1')
  await field()
  expect(screen.getByRole('button', { name: /^Open/, pressed: true })).toBeTruthy()
  const first = rowNames()[0]
  fireEvent.keyDown(document.body, { code: 'KeyE', altKey: true })
  await waitFor(() => expect(openId()).toBe('conversation-2'))
  await waitFor(() => expect(rowNames()[0]).not.toBe(first))
  await pressUndo()
  await waitFor(() => expect(openId()).toBe('conversation-1'))
  await waitFor(() => expect(rowNames()[0]).toBe(first))
})

test('with the choice taken back the closed conversation stays open', async () => {
  await openInbox('?id=conversation-1')
  await field()
  await userEvent.click(await screen.findByRole('button', { name: 'Inbox on this device' }))
  await userEvent.click(await screen.findByRole('switch', { name: 'Open the next one after closing' }))
  await userEvent.click(screen.getByRole('button', { name: 'Close conversation' }))
  expect(await screen.findByRole('button', { name: 'Reopen conversation' })).toBeTruthy()
  expect(openId()).toBe('conversation-1')
  setOpensNext(true)
})

test('keys open the next conversation, begin a note, and leave one unread', async () => {
  await openInbox('?id=conversation-1')
  await field()
  const press = (code: string) => fireEvent.keyDown(document.body, { code, altKey: true })
  press('KeyJ')
  await waitFor(() => expect(openId()).toBe('conversation-2'))
  await field()
  press('KeyK')
  await waitFor(() => expect(openId()).toBe('conversation-1'))
  await field()
  press('KeyN')
  expect(await screen.findByRole('textbox', { name: 'Note for the team' })).toBeTruthy()
  press('KeyU')
  await waitFor(() => expect(openId()).toBeNull())
  await waitFor(() => expect(rows()[0]?.textContent).toContain('unread'))
})

test('a customer who opted out is marked in the list, in the panel, and offered no marketing', async () => {
  const server = stubServer(signedInServer())
  const whole = await (await fetch('/api/conversations/conversation-1')).json()
  const out = {
    ...whole,
    // Above what marking it as read answers.
    version: whole.version + 100,
    windowExpiresAt: undefined,
    contact: { ...whole.contact, optedOut: true },
  }
  server.answer('GET /api/conversations/conversation-1', () => ({ json: out }))
  const contact = await (await fetch(`/api/contacts/${whole.contact.id}`)).json()
  const optIn = { marketing: 'out', source: 'keyword', at: contact.createdAt }
  server.answer(`GET /api/contacts/${contact.id}`, () => ({ json: { ...contact, optIn } }))
  const page = await (await fetch('/api/conversations?show=open&limit=50')).json()
  server.answer('GET /api/conversations', () => ({ json: { ...page, items: [out], nextCursor: null, total: 1 } }))
  await openApp('/conversations?id=conversation-1&panel=details&dialog=template')
  expect(await screen.findByText(/opted out of marketing\. You can write freely/)).toBeTruthy()
  await waitFor(() => expect(rows()[0]?.textContent).toContain('Opted out of marketing'))
  const panel = within(screen.getByRole('complementary', { name: 'Contact details' }))
  expect(await panel.findByText('No marketing is sent, but replies still are.')).toBeTruthy()
  const dialog = within(await screen.findByRole('dialog'))
  await waitFor(() => expect(dialog.getByText(/choose a template of another category/)).toBeTruthy())
})
