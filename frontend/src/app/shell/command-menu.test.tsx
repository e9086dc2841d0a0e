import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer } from '../../testing/stub-server.ts'

async function openDashboard() {
  stubServer(signedInServer())
  await openApp('/dashboard')
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' })
}

test('Ctrl+K finds a screen by a part of its name and goes there', async () => {
  await openDashboard()
  fireEvent.keyDown(window, { key: 'k', ctrlKey: true })
  const menu = await screen.findByRole('dialog', { name: 'Command menu' })
  await userEvent.type(within(menu).getByRole('combobox'), 'profile set{Enter}')
  await screen.findByRole('heading', { level: 1, name: 'Profile Settings' })
  expect(screen.queryByRole('dialog', { name: 'Command menu' })).toBeNull()
})

test('what is typed before the menu is loaded stands in its field, and Escape gives up', async () => {
  await openDashboard()
  const press = (...keys: string[]) => {
    for (const key of keys) fireEvent.keyDown(document.body, { key })
  }
  fireEvent.keyDown(window, { key: 'k', ctrlKey: true })
  press('x', 'Escape')
  fireEvent.keyDown(window, { key: 'k', ctrlKey: true })
  press(...'templx', 'Backspace')
  const menu = await screen.findByRole('dialog', { name: 'Command menu' })
  await waitFor(() => expect(within(menu).getByRole<HTMLInputElement>('combobox').value).toBe('templ'))
  await userEvent.keyboard('ates{Enter}')
  await screen.findByRole('heading', { level: 1, name: 'Templates' })
})

test('Enter before the menu is loaded goes to the first of what it then finds, and nothing follows it', async () => {
  await openDashboard()
  fireEvent.keyDown(window, { key: 'k', ctrlKey: true })
  for (const key of ['Enter', ...'templates', 'Enter', 'x']) fireEvent.keyDown(document.body, { key })
  await screen.findByRole('heading', { level: 1, name: 'Templates' })
  expect(screen.queryByRole('dialog', { name: 'Command menu' })).toBeNull()
})

test('what was done can be taken back from the menu after its toast is gone, and by Ctrl+Z', async () => {
  await openDashboard()
  const { offerUndo } = await import('../../lib/undo.ts')
  const { toast } = await import('../../ui/toast.ts')
  const [first, second] = [vi.fn(), vi.fn()]
  offerUndo('3 contacts deleted', first)
  offerUndo('Tag vip added', second)
  toast.success('Something else')
  fireEvent.keyDown(window, { key: 'z', ctrlKey: true })
  await waitFor(() => expect(second).toHaveBeenCalledOnce())
  expect(first).not.toHaveBeenCalled()
  fireEvent.keyDown(window, { key: 'k', metaKey: true })
  const menu = await screen.findByRole('dialog', { name: 'Command menu' })
  await userEvent.click(within(menu).getByText('Undo: 3 contacts deleted'))
  await waitFor(() => expect(first).toHaveBeenCalledOnce())
})

test('? lists the keys, but not while a text is typed', async () => {
  await openDashboard()
  fireEvent.keyDown(document.body, { key: '?' })
  expect(await screen.findByText('Collapse or expand the sidebar')).toBeTruthy()
})

test('the bell says how many notifications are unread; reading all clears it', async () => {
  await openDashboard()
  await userEvent.click(await screen.findByRole('button', { name: 'Notifications, 3 unread' }))
  const panel = within(await screen.findByRole('dialog', { name: 'Notifications' }))
  expect((await panel.findByRole('link', { name: /Summer sale is complete/ })).getAttribute('href')).toBe(
    '/broadcasts?id=campaign-1',
  )
  await userEvent.click(panel.getByRole('button', { name: 'Mark all as read' }))
  expect(await screen.findByRole('button', { name: 'Notifications' })).toBeTruthy()
})

test('the focus goes into the notifications, and back to the bell when they close', async () => {
  await openDashboard()
  const bell = await screen.findByRole('button', { name: 'Notifications, 3 unread' })
  bell.focus()
  await userEvent.keyboard('{Enter}')
  const panel = await screen.findByRole('dialog', { name: 'Notifications' })
  await waitFor(() => expect(panel.contains(document.activeElement)).toBe(true))
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(bell))
  expect(screen.queryByRole('dialog', { name: 'Notifications' })).toBeNull()
})

test('single-key shortcuts can be switched off, and stay off on this device', async () => {
  await openDashboard()
  await userEvent.keyboard('?')
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  await userEvent.click(within(dialog).getByRole('switch', { name: 'Single-key shortcuts' }))
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await userEvent.keyboard('?')
  await userEvent.keyboard('{Control>}k{/Control}')
  expect(await screen.findByRole('dialog', { name: 'Command menu' })).toBeTruthy()
  expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull()
  expect(localStorage.getItem('character_keys')).toBe('off')
})

test('records are found by what is typed, each kind by itself, and opened', async () => {
  const server = stubServer(signedInServer())
  server.answer('GET /api/templates', () => ({ status: 403, json: errorOf('forbidden', 'You may not see templates.') }))
  await openApp('/dashboard')
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' })
  fireEvent.keyDown(window, { key: 'k', ctrlKey: true })
  const menu = within(await screen.findByRole('dialog', { name: 'Command menu' }))
  await userEvent.type(menu.getByRole('combobox'), 'priya sha')
  expect(await menu.findByText('Conversation with Priya Sharma')).toBeTruthy()
  expect(await menu.findByText(/^Priya Sharma · /)).toBeTruthy()
  expect(menu.queryByText('Templates')).toBeNull()
  await userEvent.click(menu.getByText('Conversation with Priya Sharma'))
  await waitFor(() => expect(window.location.search).toBe('?id=conversation-1'))
})
