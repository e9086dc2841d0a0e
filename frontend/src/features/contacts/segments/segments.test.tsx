import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { pressUndo } from '../../../testing/press-undo.ts'
import { signedInServer, stubServer } from '../../../testing/stub-server.ts'

async function openContacts(query: string) {
  const server = stubServer(signedInServer(), { records: 100 })
  await openApp(`/contacts${query}`)
  await screen.findByRole('heading', { level: 1, name: 'Contacts' })
  return server
}

const vip = { field: 'tags', comparison: 'contains', value: 'vip' }
const inAddress = (conditions: object[]) =>
  `conditions=${encodeURIComponent(JSON.stringify({ match: 'all', conditions }))}`

test('conditions filter the list, become a segment, are changed, deleted and brought back', async () => {
  await openContacts('?build=filter')
  const builder = within(await screen.findByRole('dialog', { name: 'Filter Contacts' }))
  await userEvent.click(builder.getByRole('button', { name: 'Apply' }))
  expect(await builder.findByText('Enter a value')).toBeTruthy()
  await userEvent.type(builder.getByRole('combobox', { name: 'Value of condition 1' }), 'vip')
  const status = await builder.findByText(/^\d+ contacts? match(es)?\.$/)
  const matching = status.textContent?.split(' ')[0]
  await userEvent.click(builder.getByRole('button', { name: 'Save as Segment' }))
  await userEvent.click(builder.getByRole('button', { name: 'Save Segment' }))
  expect(await builder.findByText('Enter a name')).toBeTruthy()
  await userEvent.type(builder.getByRole('textbox', { name: 'Name of the segment' }), 'Regulars')
  await userEvent.click(builder.getByRole('button', { name: 'Save Segment' }))
  const saved = within(await screen.findByRole('list', { name: 'Saved segments' }))
  const chosen = await saved.findByRole('button', { name: `Regulars ${matching}` })
  await waitFor(() => expect(chosen.getAttribute('aria-pressed')).toBe('true'))
  expect(window.location.search).toMatch(/segment=segment-/)
  expect(window.location.search).not.toContain('build=')

  await userEvent.click(saved.getByRole('button', { name: 'Actions for the segment Regulars' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  const edit = within(await screen.findByRole('dialog', { name: 'Edit Segment' }))
  const name = edit.getByRole('textbox', { name: 'Name of the segment' })
  await userEvent.clear(name)
  await userEvent.type(name, 'Friends')
  await userEvent.click(edit.getByRole('button', { name: 'Save Segment' }))
  expect(await saved.findByRole('button', { name: `Friends ${matching}` })).toBeTruthy()

  await userEvent.click(saved.getByRole('button', { name: 'Actions for the segment Friends' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Saved segments' })).toBeNull())
  expect(window.location.search).not.toContain('segment=')
  await pressUndo()
  expect(await screen.findByRole('button', { name: `Friends ${matching}` })).toBeTruthy()
})

test('conditions of the address are the filter, and are taken away by their chip', async () => {
  await openContacts(`?${inAddress([vip, { field: 'name', comparison: 'equals', value: 'nobody' }])}`)
  expect(await screen.findByText('No contacts match')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Remove filter Tag is vip and Name is nobody' }))
  expect(await screen.findByText('1–25 of 100 contacts')).toBeTruthy()
  expect(window.location.search).not.toContain('conditions=')
})

test('the contact’s details say why it is in the segment or not', async () => {
  await openContacts('?contact=contact-1')
  const details = within(await screen.findByRole('dialog', { name: /Priya Sharma/ }))
  expect(await details.findByRole('heading', { name: 'Segments' })).toBeTruthy()
  expect(await details.findByText('Tag is vip')).toBeTruthy()
  await userEvent.click(details.getByRole('combobox', { name: 'Segment' }))
  await userEvent.click(await screen.findByTitle('Active'))
  expect(await details.findByText('Last contact is within the last 30 days')).toBeTruthy()
  expect(details.getByText('Active', { selector: 'bdi' }).closest('p')?.textContent).toBe('In Active')
})

test('a segment that is gone is said, and leads back to all contacts', async () => {
  await openContacts('?segment=segment-gone')
  expect(await screen.findByText('This segment could not be found')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: /^Show all/ }))
  expect(await screen.findByText('1–25 of 100 contacts')).toBeTruthy()
})
