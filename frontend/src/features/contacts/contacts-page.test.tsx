import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { pressUndo } from '../../testing/press-undo.ts'
import { signedInServer, stubServer, unavailable, userWithRole } from '../../testing/stub-server.ts'

async function openContacts(query = '', records?: number) {
  const server = stubServer(signedInServer(), { records })
  await openApp(`/contacts${query}`)
  await screen.findByRole('heading', { level: 1, name: 'Contacts' })
  return server
}

test('100 contacts: segments count them, pages part them', async () => {
  await openContacts('', 100)
  expect(await screen.findByText('1–25 of 100 contacts')).toBeTruthy()
  await waitFor(() => expect(screen.getByRole('button', { name: /^All Contacts/ }).textContent).toContain('100'))
  await userEvent.click(screen.getByRole('button', { name: 'Next' }))
  expect(await screen.findByText('26–50 of 100 contacts')).toBeTruthy()
})

test('deleting what is selected takes it off the list, and Undo brings it back', async () => {
  await openContacts('', 30)
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Priya Sharma' }))
  const bar = within(await screen.findByRole('region', { name: 'Selection' }))
  expect(await bar.findByText('1 selected')).toBeTruthy()
  await userEvent.click(bar.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('1–25 of 29 contacts')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Priya Sharma')).toBeNull())
  await pressUndo()
  expect(await screen.findByText('1–25 of 30 contacts')).toBeTruthy()
  expect(await screen.findByText('Priya Sharma')).toBeTruthy()
})

test('an empty workspace offers the first steps; a failed read can be tried again', async () => {
  await openContacts('', 0)
  expect(await screen.findByText('No contacts yet')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Import a CSV file' })).toBeTruthy()
  const server = stubServer(signedInServer())
  server.answer('GET /api/contacts', unavailable)
  await openApp('/contacts')
  const retry = await screen.findByRole('button', { name: 'Retry' })
  server.answer('GET /api/contacts', () => undefined)
  await userEvent.click(retry)
  expect(await screen.findByText('1–25 of 8,234 contacts')).toBeTruthy()
})

test('a click on a row opens the contact’s details, which lead on to the form; a link to nobody says so', async () => {
  await openContacts('', 30)
  const row = (await screen.findByText('Priya Sharma')).closest('tr')
  await userEvent.click(within(row ?? document.body).getByText('2 min ago'))
  const details = within(await screen.findByRole('dialog', { name: /Priya Sharma/ }))
  expect(await details.findByText('And could it reach her in Nagpur before Sunday?')).toBeTruthy()
  expect(details.getByText('Allowed')).toBeTruthy()
  expect(await details.findByText('Form: checkout')).toBeTruthy()
  expect(details.getByRole('link', { name: /^Open conversation/ }).getAttribute('href')).toBe(
    '/conversations?contact=contact-1',
  )
  expect(window.location.search).toContain('contact=contact-1')
  await userEvent.click(details.getByRole('button', { name: 'Edit Contact' }))
  const name = await screen.findByLabelText('Name')
  await userEvent.clear(name)
  await userEvent.type(name, 'Priya S')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await details.findByText('Priya S')).toBeTruthy()
  await openContacts('?contact=nobody')
  expect(await screen.findByText('This contact could not be found')).toBeTruthy()
})

test('who may neither export nor delete is offered neither', async () => {
  stubServer({ ...signedInServer(), 'GET /api/auth/user': () => userWithRole('agent') }, { records: 30 })
  await openApp('/contacts')
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Priya Sharma' }))
  const bar = within(await screen.findByRole('region', { name: 'Selection' }))
  expect(await bar.findByRole('button', { name: 'Add Tag' })).toBeTruthy()
  await waitFor(() => expect(screen.queryAllByRole('button', { name: /^(Export|Delete)$/, hidden: true })).toEqual([]))
})

test('a search that could not look at everybody says how far it came, and goes on when asked', async () => {
  const server = await openContacts('', 30)
  const { items } = await (await fetch('/api/contacts?limit=1')).json()
  const part = { total: 40, approximate: true, nextCursor: null, previousCursor: null }
  server.answer('GET /api/contacts', (_call, nth) => ({
    json:
      nth === 1
        ? { ...part, items: [], nextCursor: 'on', searchedTo: '2026-03-12T09:00:00.000Z' }
        : { ...part, items, previousCursor: 'back' },
  }))
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search contacts' }), 'rare')
  expect(await screen.findByText('Nobody found so far. Searched contacts back to Mar 12, 2026.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Continue Search' }))
  expect(await screen.findByText('Priya Sharma')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Continue Search' })).toBeNull()
})
