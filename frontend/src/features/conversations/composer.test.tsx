import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer } from '../../testing/stub-server.ts'

/** Of an upload that never ends. */
vi.mock('../../lib/upload.ts', () => ({ uploadFile: () => new Promise(() => {}) }))

// Without a layout nothing is in view, so every list would be empty: what scrolls gets the size of a window.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(400)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(40)
  return () => vi.restoreAllMocks()
})

const field = () => screen.findByRole('textbox', { name: 'Message' })

async function openConversation(options?: Parameters<typeof openApp>[1]): Promise<void> {
  await openApp('/conversations?id=conversation-1', options)
  await screen.findByRole('heading', { level: 1, name: 'Conversations' })
}

test('an upload that a reload has cut off is told, and does not go along', async () => {
  stubServer(signedInServer())
  await openConversation()
  await field()
  await userEvent.upload(
    screen.getByLabelText('Files to send'),
    new File(['a plan'], 'plan.pdf', { type: 'application/pdf' }),
  )
  expect(await screen.findByText('plan.pdf')).toBeTruthy()
  await openConversation({ keepStorage: true })
  expect(await screen.findByText('The upload was cut off. Remove it and choose the file again.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Send message' })).toHaveProperty('disabled', true)
  await userEvent.click(screen.getByRole('button', { name: /Remove plan.pdf/ }))
  await waitFor(() => expect(screen.queryByText('plan.pdf')).toBeNull())
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('plan.pdf')
})

test('a message that is sent later goes once, with its time', async () => {
  const path = 'POST /api/conversations/conversation-1/messages'
  const server = stubServer({
    ...signedInServer(),
    [path]: () => ({ status: 409, json: errorOf('conflict', 'Not now.') }),
  })
  await openConversation()
  fireEvent.change(await field(), { target: { value: 'Tomorrow, then' } })
  await userEvent.click(screen.getByRole('button', { name: 'Send later' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Schedule' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await screen.findByText(/Not now\./)).toBeTruthy()
  expect(server.count(path)).toBe(1)
  expect(screen.getAllByText('Tomorrow, then')).toHaveLength(1)
  const { body } = server.calls.find((call) => `${call.method} ${call.path}` === path) ?? {}
  expect(JSON.parse(body ?? '').sendAt).toBeTruthy()
})

test('to a blocked contact nothing can be written but notes, until they are unblocked', async () => {
  const server = stubServer(signedInServer())
  await openConversation()
  await field()
  const conversation = await (await fetch('/api/conversations/conversation-1')).json()
  const contact = await (await fetch(`/api/contacts/${conversation.contact.id}`)).json()
  const state = { blocked: true, version: conversation.version + 1 }
  server.answer('GET /api/conversations/conversation-1', () => ({
    json: { ...conversation, version: state.version, contact: { ...conversation.contact, blocked: state.blocked } },
  }))
  server.answer(`PUT /api/contacts/${contact.id}/blocked`, ({ body }) => {
    state.blocked = JSON.parse(body ?? '').blocked
    state.version += 1
    return { json: { ...contact, blocked: state.blocked } }
  })
  await openConversation()
  expect(await screen.findByText('This contact is blocked.')).toBeTruthy()
  expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Unblock' }))
  expect(await field()).toBeTruthy()
  expect(await screen.findByText(`${conversation.contact.name} is no longer blocked.`)).toBeTruthy()
})
