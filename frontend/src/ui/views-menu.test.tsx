import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { openApp } from '../testing/open-app.tsx'
import { pressUndo } from '../testing/press-undo.ts'
import { signedInServer, stubServer, userWithRole } from '../testing/stub-server.ts'
import { withWindowSize } from '../testing/window-size.ts'

withWindowSize()
afterEach(() => localStorage.removeItem('contact-columns'))

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
async function saveAs(name: string, { shared = false } = {}) {
  await press('Save this view')
  await userEvent.type(await screen.findByLabelText('Name of the view'), name)
  if (shared) await userEvent.click(screen.getByLabelText('For everyone in this workspace'))
  await press('Save')
}
const search = () => new URLSearchParams(window.location.search)

test('filters, order and columns of contacts are saved under a name, and come back together', async () => {
  stubServer(signedInServer(), { records: 30 })
  await openApp('/contacts?tags=vip&sort=name')
  await press('Columns')
  await userEvent.click(await screen.findByLabelText('Source'))
  await userEvent.keyboard('{Escape}')
  await press('Views')
  expect(await screen.findByText(/save that under a name/)).toBeTruthy()
  await saveAs('Important')
  expect(await screen.findByRole('button', { name: 'Important', pressed: true })).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  await press('Columns')
  await userEvent.click(await screen.findByLabelText('Source'))
  await userEvent.keyboard('{Escape}')
  await press('Remove filter Tag: vip')
  await press('Views')
  await userEvent.click(await screen.findByRole('button', { name: 'Important', pressed: false }))
  await waitFor(() => expect(search().get('tags')).toBe('vip'))
  expect(search().get('sort')).toBe('name')
  const table = within(await screen.findByRole('table', { name: 'Contacts' }))
  expect(await table.findByRole('columnheader', { name: 'Source' })).toBeTruthy()
})

test('a view of the inbox is shared, changed to what is shown now, deleted, and restored', async () => {
  stubServer(signedInServer())
  await openApp('/conversations?show=unread&sort=waiting')
  await press('Saved views')
  await saveAs('Urgent', { shared: true })
  const everyones = within(await screen.findByRole('region', { name: 'Everyone’s' }))
  expect(everyones.getByRole('button', { name: 'Urgent', pressed: true })).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  await press(/^Unassigned/)
  await press('Saved views')
  await press('Change the view Urgent')
  await userEvent.click(await screen.findByLabelText(/^Update it to match/))
  await press('Save')
  expect(await screen.findByRole('button', { name: 'Urgent', pressed: true })).toBeTruthy()
  await press('Delete the view Urgent')
  expect(await screen.findByText('View Urgent deleted.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Urgent' })).toBeNull()
  await pressUndo()
  expect(await screen.findByText('Undone.')).toBeTruthy()
  await userEvent.click(await screen.findByRole('button', { name: 'Urgent' }))
  expect([search().get('show'), search().get('sort')]).toEqual(['unassigned', 'waiting'])
})

test('a name is asked for and taken once; whoever may not share is not offered to', async () => {
  stubServer({ ...signedInServer(), 'GET /api/auth/user': () => userWithRole('agent') })
  await openApp('/conversations?show=unread')
  await press('Saved views')
  await press('Save this view')
  await press('Save')
  expect(await screen.findByText('Enter a name')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Name of the view'), 'Mine{Enter}')
  expect(await screen.findByRole('button', { name: 'Mine', pressed: true })).toBeTruthy()
  await press('Save this view')
  expect(screen.queryByLabelText('For everyone in this workspace')).toBeNull()
  await userEvent.type(await screen.findByLabelText('Name of the view'), 'mine{Enter}')
  expect(await screen.findByText('There is a view named mine already.')).toBeTruthy()
})
