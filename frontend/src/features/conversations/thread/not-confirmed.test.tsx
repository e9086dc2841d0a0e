import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { eventOf, signedInServer, stubEvents, stubServer } from '../../../testing/stub-server.ts'
import { withWindowSize } from '../../../testing/window-size.ts'
import { change } from '../../../testing/workspace/workspace.ts'

withWindowSize()

const conversationId = 'conversation-1'
const message = {
  id: 'message-1',
  conversationId,
  version: 1,
  direction: 'outbound',
  content: { type: 'text', text: 'Hello?' },
  status: 'queued',
  dispatch: 'uncertain',
  cause: { kind: 'member', id: 'me' },
  sentAt: '2026-03-09T10:00:00.000Z',
}
const notConfirmed = { code: 0, title: 'Not confirmed', nextStep: 'Send it again, or wait.' }

/** A thread with one message whose answer was lost. */
async function openThread({ query = '', ...passport }: { query?: string; json?: object } = {}) {
  const server = stubServer(signedInServer())
  const events = stubEvents()
  server.answer('GET /api/events', () => events.response())
  const path = `/api/conversations/${conversationId}/messages`
  const become = (after: object) =>
    server.answer(`GET ${path}`, () => ({
      json: { items: [{ ...message, ...after }], nextCursor: null, previousCursor: null, total: 1 },
    }))
  become({})
  server.answer(`GET ${path}/${message.id}/passport`, () => passport)
  await openApp(`/conversations?id=${conversationId}${query}`)
  await waitFor(() => expect(events.readers()).toBe(1))
  /** Changes it at the server, which sends an event. */
  const changeMessage = (after: { version: number; status?: string; error?: object; dispatch?: string }) => {
    become(after)
    const { version, status = 'queued' } = after
    const data = { messageId: message.id, conversationId, direction: 'outbound', status }
    events.send('record', eventOf('message.changed', data, version))
  }
  return { server, path, changeMessage }
}

test('doubt is told calmly at first, with a way out once it lasts, and is gone with a late status', async () => {
  const { changeMessage } = await openThread()
  const thread = within(await screen.findByRole('log', { name: 'Messages' }))
  expect(await thread.findByText(/WhatsApp has not confirmed it yet/)).toBeTruthy()
  expect(thread.queryByRole('button', { name: 'Send again' })).toBeNull()
  changeMessage({ version: 2, error: notConfirmed })
  expect(await thread.findByRole('button', { name: 'Send again' })).toBeTruthy()
  changeMessage({ version: 3, status: 'delivered', dispatch: 'accepted' })
  expect(await thread.findByRole('img', { name: 'Delivered' })).toBeTruthy()
  expect(thread.queryByText(/confirmed/i)).toBeNull()
})

test('the details say what doubt may mean, and send the message again', async () => {
  const content = { type: 'template', templateId: 'template-1', name: 'spring', text: 'Hello?', templateVersion: 3 }
  const json = {
    message: { ...message, content, cause: { kind: 'campaign', id: 'campaign-9' }, error: notConfirmed },
    campaign: { id: 'campaign-9', name: 'Spring tea' },
    timeline: [{ at: message.sentAt, kind: 'uncertain', text: 'The answer was lost' }],
    pricing: {
      billable: true,
      category: 'marketing',
      chargedAt: message.sentAt,
      price: { micros: 790_000, currency: 'EUR' },
    },
    error: { ...notConfirmed, class: 'uncertain', details: 'The customer may have it, or not.', action: 'retry' },
  }
  const { server, path } = await openThread({ query: `&dialog=passport&about=${message.id}`, json })
  expect(await screen.findByText(/The customer may have it, or not\./)).toBeTruthy()
  expect(screen.getByText('spring, version 3')).toBeTruthy()
  expect(screen.getByText('Spring tea').closest('a')?.getAttribute('href')).toBe('/broadcasts?id=campaign-9')
  expect(screen.getByText('Billed as marketing: €0.79 by your prices')).toBeTruthy()
  // The bubble offers nothing yet: it is the one of the details.
  await userEvent.click(screen.getByText('Send again'))
  await waitFor(() => expect(server.count(`POST ${path}/${message.id}/retry`)).toBe(1))
})

test.each([
  ['a failure', { status: 'failed', dispatch: 'failed', error: { ...notConfirmed, title: 'Not delivered' } }],
  ['doubt', { error: notConfirmed }],
])('once the window is closed, %s offers a template in place of the same text', async (_what, after) => {
  const { server, path } = await openThread()
  server.answer(`GET ${path}`, () => ({
    json: { items: [{ ...message, ...after }], nextCursor: null, previousCursor: null, total: 1 },
  }))
  const windowExpiresAt = new Date(Date.parse(message.sentAt) - 60_000).toISOString()
  change(server.workspace.conversations, conversationId, { windowExpiresAt })
  await openApp(`/conversations?id=${conversationId}`)
  const thread = within(await screen.findByRole('log', { name: 'Messages' }))
  await userEvent.click(await thread.findByRole('button', { name: 'Send a template' }))
  expect(await screen.findByRole('dialog')).toBeTruthy()
  expect(thread.queryByRole('button', { name: /Retry|Send again/ })).toBeNull()
})
