import { maxCaptionLength } from '@parley/contracts/inbox/messages'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer } from '../../../testing/stub-server.ts'
import { withWindowSize } from '../../../testing/window-size.ts'
import { change } from '../../../testing/workspace/workspace.ts'

/** Simulates an upload that never ends. */
vi.mock('../../../lib/upload.ts', () => ({ uploadFile: () => new Promise(() => {}) }))

withWindowSize()

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
  const { contacts } = server.workspace
  change(contacts, 'contact-1', { blocked: true })
  await openConversation()
  expect(await screen.findByText('This contact is blocked.')).toBeTruthy()
  expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Unblock' }))
  expect(await field()).toBeTruthy()
  expect(await screen.findByText('Priya Sharma is no longer blocked.')).toBeTruthy()
  expect(contacts.get('contact-1')?.blocked).toBe(false)
})

test('an emoji stands where the caret was, and a variable of the contact as its value', async () => {
  stubServer(signedInServer())
  await openConversation()
  const text = (await field()) as HTMLTextAreaElement
  await userEvent.type(text, 'Hello , thanks')
  text.setSelectionRange(6, 6)
  await userEvent.click(screen.getByRole('button', { name: 'Insert a variable' }))
  await userEvent.click(await screen.findByRole('button', { name: /^First name/ }))
  await waitFor(() => expect(text.value).toBe('Hello Priya, thanks'))
  await waitFor(() => expect(document.activeElement).toBe(text))
  expect(text.selectionStart).toBe('Hello Priya'.length)
  await userEvent.click(screen.getByRole('button', { name: 'Emoji' }))
  await userEvent.click(await screen.findByRole('button', { name: '👍' }))
  await waitFor(() => expect(text.value).toBe('Hello Priya👍, thanks'))
})

test('a variable that is typed is filled at once; one that the contact has not stays as it is', async () => {
  stubServer(signedInServer())
  await openConversation()
  const text = (await field()) as HTMLTextAreaElement
  fireEvent.change(text, { target: { value: 'Dear {{name}}, order {{order_id}}' } })
  expect(text.value).toBe('Dear Priya Sharma, order {{order_id}}')
})

test('files that are too many are told before anything is sent', async () => {
  stubServer(signedInServer())
  await openConversation()
  await field()
  const files = Array.from({ length: 12 }, (_, index) => new File(['x'], `${index}.pdf`, { type: 'application/pdf' }))
  await userEvent.upload(screen.getByLabelText('Files to send'), files)
  expect(await screen.findByText(/At most 10 files go out at once: 2 files left out/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Attach files' }).title).toContain('Photos up to 5')
})

test('a note mentions a colleague whose name is completed, and tells the server whom', async () => {
  const path = 'POST /api/conversations/conversation-1/notes'
  const server = stubServer({
    ...signedInServer(),
    [path]: () => ({ status: 409, json: errorOf('conflict', 'Not now.') }),
  })
  await openConversation()
  await userEvent.click(await screen.findByRole('switch', { name: 'Note for the team' }))
  const note = await screen.findByRole('textbox', { name: 'Note for the team' })
  const [colleague] = [...server.workspace.members.values()].filter(({ role }) => role !== 'owner')
  const name = colleague?.name ?? ''
  await userEvent.type(note, `Please @${name.slice(0, 3)}`)
  const option = await screen.findByRole('option', { name: new RegExp(name) })
  expect(note.getAttribute('aria-activedescendant')).toBe(option.id)
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(note).toHaveProperty('value', `Please @${name} `))
  expect(screen.queryByRole('listbox', { name: 'Colleagues' })).toBeNull()
  await userEvent.type(note, 'have a look{Enter}')
  await waitFor(() => expect(server.count(path)).toBe(1))
  const { body } = server.calls.find((call) => `${call.method} ${call.path}` === path) ?? {}
  expect(JSON.parse(body ?? '')).toMatchObject({ text: `Please @${name} have a look`, mentions: [colleague?.userId] })
})

test('a saved reply with a picture goes out as one message, its text filled in as the caption', async () => {
  const path = 'POST /api/conversations/conversation-1/messages'
  const at = '2026-11-22T10:00:00.000Z'
  const file = { mediaId: 'file-1', kind: 'image', fileName: 'menu.png', mimeType: 'image/png', sizeBytes: 900 }
  const reply = {
    id: 'r1',
    shortcut: 'menu',
    text: 'Our menu, {{name}}',
    file,
    version: 1,
    createdAt: at,
    updatedAt: at,
  }
  const server = stubServer({
    ...signedInServer(),
    'GET /api/replies': () => ({ json: { items: [reply], nextCursor: null, previousCursor: null, total: 1 } }),
    [path]: () => ({ status: 409, json: errorOf('conflict', 'Not now.') }),
  })
  await openConversation()
  await userEvent.type(await field(), '/me')
  await userEvent.click(await screen.findByRole('option', { name: /With a file:.*Our menu/ }))
  const attachments = within(await screen.findByRole('list', { name: 'Attachments' }))
  expect(attachments.getByRole('img', { name: 'Photo' }).getAttribute('src')).toBe('/api/media/file-1/thumbnail')
  expect(attachments.getByRole('textbox', { name: 'Caption of menu.png' })).toHaveProperty(
    'value',
    'Our menu, Priya Sharma',
  )
  await userEvent.click(screen.getByRole('button', { name: 'Send message' }))
  await waitFor(() => expect(server.count(path)).toBe(1))
  const { body } = server.calls.find((call) => `${call.method} ${call.path}` === path) ?? {}
  expect(JSON.parse(body ?? '').content).toEqual({
    type: 'image',
    mediaId: 'file-1',
    caption: 'Our menu, Priya Sharma',
  })
})

test('a file goes into a note for the team, with its words, and not to the customer', async () => {
  const [path, sending] = [
    'POST /api/conversations/conversation-1/notes',
    'POST /api/conversations/conversation-1/messages',
  ]
  const at = '2026-11-22T10:00:00.000Z'
  const file = { mediaId: 'file-1', kind: 'image', fileName: 'label.png', mimeType: 'image/png', sizeBytes: 900 }
  const reply = {
    id: 'r1',
    shortcut: 'label',
    text: 'Send it back with this',
    file,
    version: 1,
    createdAt: at,
    updatedAt: at,
  }
  const server = stubServer({
    ...signedInServer(),
    'GET /api/replies': () => ({ json: { items: [reply], nextCursor: null, previousCursor: null, total: 1 } }),
    [path]: () => ({ status: 409, json: errorOf('conflict', 'Not now.') }),
  })
  await openConversation()
  await userEvent.click(await screen.findByRole('switch', { name: 'Note for the team' }))
  const note = await screen.findByRole('textbox', { name: 'Note for the team' })
  await userEvent.upload(
    screen.getByLabelText('Files for the team'),
    new File(['a plan'], 'plan.pdf', { type: 'application/pdf' }),
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Remove plan.pdf' }))
  await userEvent.type(note, '/la')
  await userEvent.click(await screen.findByRole('option', { name: /With a file:.*Send it back/ }))
  const caption = await screen.findByRole('textbox', { name: 'Caption of label.png' })
  const [colleague] = [...server.workspace.members.values()].filter(({ role }) => role !== 'owner')
  const name = colleague?.name ?? ''
  await userEvent.type(caption, ` @${name.slice(0, 3)}`)
  const option = await screen.findByRole('option', { name: new RegExp(name) })
  expect(caption.getAttribute('aria-activedescendant')).toBe(option.id)
  expect(note.getAttribute('aria-activedescendant')).toBeNull()
  const write = async (text: string) => {
    await userEvent.clear(caption)
    await userEvent.click(caption)
    await userEvent.paste(text)
  }
  // A whole name would make the caption longer than WhatsApp takes.
  await write(`${'x'.repeat(maxCaptionLength - 5)} @${name.slice(0, 3)}`)
  expect(caption).toHaveProperty('value.length', maxCaptionLength)
  expect(screen.queryByRole('option')).toBeNull()
  await write(`Send it back with this @${name.slice(0, 3)}`)
  await screen.findByRole('option', { name: new RegExp(name) })
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(caption).toHaveProperty('value', `Send it back with this @${name} `))
  expect(server.count(path)).toBe(0)
  await userEvent.click(screen.getByRole('button', { name: 'Save note' }))
  await waitFor(() => expect(server.count(path)).toBe(1))
  const { body } = server.calls.find((call) => `${call.method} ${call.path}` === path) ?? {}
  expect(JSON.parse(body ?? '')).toMatchObject({
    file: { type: 'image', mediaId: 'file-1', caption: `Send it back with this @${name}` },
    mentions: [colleague?.userId],
  })
  expect([JSON.parse(body ?? '').text, server.count(sending)]).toEqual([undefined, 0])
})
