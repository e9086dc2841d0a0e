import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { signedInServer, stubEvents, stubServer } from '../../testing/stub-server.ts'
import { EarlierChats } from './number-parts.tsx'

async function openNumbers(query = '', records?: number) {
  const server = stubServer(signedInServer(), { records })
  await openApp(`/whatsapp-numbers${query}`)
  await screen.findByRole('heading', { level: 1, name: 'WhatsApp Numbers' })
  return server
}

async function fill(number: string) {
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('Display Name'), 'Chai & Co Pune')
  await userEvent.type(dialog.getByLabelText('Phone Number'), number)
  await userEvent.type(dialog.getByLabelText('Phone Number ID'), '109645872319999')
  await userEvent.type(dialog.getByLabelText('Business Account ID'), '102290129340398')
  await userEvent.type(dialog.getByLabelText('Access Token'), 'EAAG-a-token-that-is-long-enough')
  await userEvent.click(dialog.getByRole('button', { name: 'Connect Number' }))
  return dialog
}

test('a connected number is pending', async () => {
  await openNumbers('?new=1')
  await fill('98200 99999')
  expect(await screen.findByText('Connection of Chai & Co Pune')).toBeTruthy()
  const row = (await screen.findByText('Chai & Co Pune')).closest('tr, li')
  if (!(row instanceof HTMLElement)) throw new Error('The number stands in no row.')
  expect(within(row).getAllByText('Pending')).toHaveLength(2)
  expect(within(row).getByText('Unknown')).toBeTruthy()
  expect(within(row).getByRole('button', { name: 'Copy phone number' })).toBeTruthy()
})

test('a number that is connected already is refused beside the field', async () => {
  await openNumbers('?new=1')
  const dialog = await fill('98200 12345')
  expect(await dialog.findByText('This is connected already, as Chai & Co.')).toBeTruthy()
})

test('another number becomes the default, and is deleted by name', async () => {
  await openNumbers('?configure=number-2')
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('switch', { name: 'Default number' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Save Changes' }))
  expect(await screen.findByText('Chai & Co Support is saved.')).toBeTruthy()
  expect((await screen.findByText('Default')).closest('tr, li')?.textContent).toContain('Chai & Co Support')
  await userEvent.click(screen.getByRole('button', { name: 'Delete Chai & Co Support' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Number' }))
  await screen.findByText('Chai & Co Support is deleted.')
  expect((await screen.findByText('Default')).closest('tr, li')?.textContent).toContain('+91 98200 12345')
})

test('a simulated number is connected in one press, marked, and its phone can be opened', async () => {
  await openNumbers()
  await userEvent.click(await screen.findByRole('button', { name: 'Connect a simulated number' }))
  await screen.findByText(/is connected. Open its phone and write to it./)
  const row = (await screen.findByText('Simulated')).closest('tr, li')
  if (!(row instanceof HTMLElement)) throw new Error('The number stands in no row.')
  expect(within(row).getByText('Active')).toBeTruthy()
  const link = within(row).getByRole('link', { name: 'Open the phone' })
  expect(link.getAttribute('href')).toContain('?number=')
})

test('the check list says what is left to do, and a step is tried again with its PIN', async () => {
  await openNumbers('?checks=number-3')
  const dialog = within(await screen.findByRole('dialog', { name: 'Connection of Chai & Co Wholesale' }))
  expect(await dialog.findByText('The number is not registered for the Cloud API.')).toBeTruthy()
  expect(dialog.getAllByText('Passed')).toHaveLength(5)
  await userEvent.type(dialog.getByLabelText('Six-digit PIN'), '12345x6')
  await userEvent.click(dialog.getByRole('button', { name: 'Register Number' }))
  await waitFor(() => expect(dialog.getAllByText('Passed')).toHaveLength(6))
})

test('an event from the server shows what has become of a number, and why nothing leaves', async () => {
  const server = stubServer(signedInServer())
  const events = stubEvents()
  server.answer('GET /api/events', () => events.response())
  await openApp('/whatsapp-numbers')
  await screen.findByText('Chai & Co Support')
  const answer = await fetch('/api/numbers')
  const list = await answer.json()
  const [number] = list.items
  const words = { reason: 'The token has expired.', advice: 'Enter a new one.' }
  const stopped = { code: 190, what: 'all' as const, ...words, at: number.createdAt }
  server.answer('GET /api/numbers', () => ({
    json: { ...list, items: [{ ...number, status: 'disconnected', stopped }] },
  }))
  events.send('record', {
    id: 'e1',
    seq: 1,
    workspaceId: 'w1',
    type: 'number.changed',
    at: number.createdAt,
    recordedAt: number.createdAt,
    by: { kind: 'system' },
    chain: [],
    data: { numberId: number.id, removed: false },
  })
  expect(await screen.findByText(/The token has expired. Enter a new one./)).toBeTruthy()
  expect(screen.getByText('Disconnected')).toBeTruthy()
})

test('an empty workspace offers the first number', async () => {
  await openNumbers('', 0)
  expect(await screen.findByText('Connect your first number')).toBeTruthy()
  expect(screen.getAllByRole('button', { name: 'Add New Number' })).toHaveLength(1)
  expect(screen.getByRole('button', { name: 'Connect a simulated number' })).toBeTruthy()
})

test('the connection of a number shows what WhatsApp has told of it, and when it last called', async () => {
  const server = stubServer(signedInServer())
  const at = new Date(Date.now() - 5 * 60_000).toISOString()
  server.answer('GET /api/numbers/number-1/events', () => ({
    json: {
      items: [
        { id: 'event-1', at, severity: 'error', title: 'WhatsApp has restricted the account', body: 'No templates.' },
      ],
    },
  }))
  await openApp('/whatsapp-numbers?checks=number-1')
  const dialog = within(await screen.findByRole('dialog'))
  const changes = within(await dialog.findByRole('region', { name: 'News from WhatsApp' }))
  const entry = (await changes.findByText('WhatsApp has restricted the account')).closest('li')
  expect(entry?.textContent).toMatch(/Problem.*No templates\..*5 min ago/)
  expect(changes.getByText(/^Last webhook/)).toBeTruthy()
})

test('a number tells how far its chats of before have come, and that they are not shared', () => {
  const at = new Date().toISOString()
  const { rerender } = render(<EarlierChats history={{ state: 'running', progress: 55, at }} />)
  expect(screen.getByRole('progressbar', { name: 'Receiving earlier chats' }).getAttribute('aria-valuenow')).toBe('55')
  rerender(<EarlierChats history={{ state: 'declined', progress: 0, at }} />)
  expect(screen.getByText(/^Earlier chats are not shared/)).toBeTruthy()
  rerender(<EarlierChats history={{ state: 'done', progress: 100, at }} />)
  expect(document.body.textContent).toBe('')
})
