import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openApp } from '../testing/open-app.tsx'
import { errorOf, signedInServer, stubEvents, stubServer, userOf, userWithRole } from '../testing/stub-server.ts'
import { withWindowSize } from '../testing/window-size.ts'

withWindowSize()

const navigation = async () => within(await screen.findByRole('navigation', { name: 'Main navigation' }))

test('a conversation that a colleague has now leaves the list and the screen', async () => {
  const events = stubEvents()
  const server = stubServer({ ...signedInServer(), 'GET /api/events': () => events.response() })
  await openApp('/conversations?id=conversation-1')
  await screen.findByText('Yes! Is it in stock?')
  const list = within(await screen.findByRole('list', { name: 'Conversations' }))
  const [row] = list.getAllByRole('link')
  const name = row?.textContent ?? ''
  await waitFor(() => expect(events.readers()).toBe(1))
  const gone = () => ({ status: 404, json: errorOf('not_found', 'There is no such conversation.') })
  server.answer('GET /api/conversations/conversation-1', gone)
  server.answer('GET /api/conversations/conversation-1/messages', gone)
  events.send('hidden', { conversationId: 'conversation-1' })
  await waitFor(() => expect(list.getAllByRole('link').map(({ textContent }) => textContent)).not.toContain(name))
  await waitFor(() => expect(screen.queryByText('Yes! Is it in stock?')).toBeNull())
})

test('an agent who sees their own conversations has no list of contacts, and has it again once all are shown', async () => {
  const events = stubEvents()
  const server = stubServer({
    ...signedInServer(),
    'POST /api/auth/sync': () => userWithRole('agent'),
    'GET /api/auth/user': () => userWithRole('agent'),
    'GET /api/events': () => events.response(),
    'GET /api/workspace/visibility': () => ({ json: { agentSees: 'own', version: 1 } }),
  })
  await openApp('/conversations')
  const links = await navigation()
  await waitFor(() => expect(links.queryByRole('link', { name: 'Contacts' })).toBeNull())
  expect(links.getByRole('link', { name: 'Conversation' })).toBeTruthy()
  await waitFor(() => expect(events.readers()).toBe(1))
  server.answer('GET /api/workspace/visibility', () => ({ json: { agentSees: 'all', version: 2 } }))
  events.send('hidden', {})
  expect(await links.findByRole('link', { name: 'Contacts' })).toBeTruthy()
})

test('who looks at the workspace as another role marks nothing as read', async () => {
  const user = userOf({ role: 'agent', viewing: true })
  const server = stubServer(signedInServer(undefined, user))
  await openApp('/conversations?id=conversation-2')
  const list = within(await screen.findByRole('list', { name: 'Conversations' }))
  await screen.findByRole('log', { name: 'Messages' })
  await waitFor(() => expect(list.getAllByRole('link').length).toBeGreaterThan(1))
  await screen.findByRole('region', { name: 'View as another role' })
  expect(server.calls.filter(({ method }) => method === 'PATCH')).toEqual([])
})
