import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer } from '../../testing/stub-server.ts'
import { withWindowSize } from '../../testing/window-size.ts'

withWindowSize()

// The library gives every dialog the same id of its title under test.
const dialog = async () => within(await screen.findByRole('dialog'))
const openId = () => new URLSearchParams(window.location.search).get('id')

async function choose(typed: string, option: RegExp) {
  const shown = await dialog()
  await userEvent.type(shown.getByRole('combobox', { name: 'Contact or phone number' }), typed)
  await userEvent.click(await screen.findByTitle(option))
  await userEvent.click(shown.getByRole('button', { name: 'Open conversation' }))
}

test('a conversation begins with a contact that is chosen by name, from a chosen number', async () => {
  const server = stubServer(signedInServer())
  await openApp('/conversations')
  await userEvent.click(await screen.findByRole('button', { name: 'New conversation' }))
  await userEvent.click(await (await dialog()).findByRole('combobox', { name: 'From' }))
  const { id, displayName } =
    [...server.workspace.numbers.values()].filter(({ status }) => status === 'active')[1] ?? {}
  await userEvent.click(await screen.findByTitle(new RegExp(`^${displayName} · `)))
  await choose('priya', /^Priya Sharma/)
  await waitFor(() => expect(openId()).toBe('conversation-1'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await screen.findByRole('textbox', { name: 'Message' })).toBeTruthy()
  const opened = server.calls.find(({ method, path }) => method === 'POST' && path === '/api/conversations')
  expect(JSON.parse(opened?.body ?? '')).toMatchObject({ numberId: id })
})

test('a typed number becomes a contact, and a template is offered, for no free text may be sent', async () => {
  const server = stubServer(signedInServer())
  const conversation = await (await fetch('/api/conversations/conversation-2')).json()
  const contact = await (await fetch(`/api/contacts/${conversation.contact.id}`)).json()
  server.answer('POST /api/contacts', () => ({ status: 201, json: contact }))
  server.answer('POST /api/conversations', () => ({ json: { ...conversation, windowExpiresAt: undefined } }))
  await openApp('/conversations?new=1')
  await choose('+49 30 23125000', /^New contact · \+49 30 23125000/)
  await waitFor(() => expect(openId()).toBe('conversation-2'))
  const created = server.calls.find(({ method, path }) => method === 'POST' && path === '/api/contacts')
  expect(JSON.parse(created?.body ?? '')).toEqual({ name: '+49 30 23125000', phone: '+493023125000' })
  expect(await screen.findByRole('button', { name: 'Send template' })).toBeTruthy()
})

test('nothing chosen and a refusal are told in the dialog', async () => {
  const server = stubServer(signedInServer())
  server.answer('POST /api/conversations', () => ({
    status: 409,
    json: errorOf('wrong_state', 'The contact is blocked.'),
  }))
  await openApp('/conversations?new=1')
  await userEvent.click((await dialog()).getByRole('button', { name: 'Open conversation' }))
  expect((await (await dialog()).findByRole('alert')).textContent).toContain('Choose a contact')
  await choose('priya', /^Priya Sharma/)
  await waitFor(async () =>
    expect((await dialog()).getByRole('alert').textContent).toContain('The contact is blocked.'),
  )
})

test('a search that finds no name offers the messages that hold the words, and back', async () => {
  const server = stubServer(signedInServer())
  const { items } = await (await fetch('/api/conversations/conversation-1/messages')).json()
  const { contact } = await (await fetch('/api/conversations/conversation-1')).json()
  const hit = { message: items[0], conversation: { id: 'conversation-1', contact, status: 'open' } }
  server.answer('GET /api/messages/search', () => ({ json: { items: [hit], nextCursor: null, searchedTo: null } }))
  await openApp('/conversations?q=zzzz')
  await userEvent.click(await screen.findByRole('button', { name: '1 message contains “zzzz”' }))
  expect(await screen.findByRole('list', { name: 'Messages found' })).toBeTruthy()
  server.answer('GET /api/messages/search', () => ({ json: { items: [], nextCursor: null, searchedTo: null } }))
  await openApp('/conversations?q=teapot&in=messages')
  await userEvent.click(await screen.findByRole('button', { name: 'Search names and numbers' }))
  await waitFor(() => expect(new URLSearchParams(window.location.search).get('in')).toBeNull())
})
