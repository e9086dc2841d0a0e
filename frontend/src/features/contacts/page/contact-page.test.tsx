import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../../testing/stub-server.ts'

async function openContact(path: string) {
  const server = stubServer(signedInServer())
  await openApp(path)
  return server
}

test('a contact has a page: the facts, the conversations, and the way back to the list', async () => {
  await openContact('/contacts/contact-1?records=30')
  expect(await screen.findByRole('heading', { level: 1, name: 'Priya Sharma' })).toBeTruthy()
  const details = within(screen.getByRole('region', { name: 'Details' }))
  expect(details.getByText('Allowed')).toBeTruthy()
  expect(await details.findByText('Form: checkout')).toBeTruthy()
  const conversations = within(screen.getByRole('region', { name: 'Conversations' }))
  const link = await conversations.findByRole('link', { name: /And could it reach her in Nagpur/ })
  expect(link.getAttribute('href')).toMatch(/^\/conversations\?id=/)
  const active = screen.getByRole('link', { name: 'Contacts', current: 'page' })
  expect(active.getAttribute('href')).toBe('/contacts')
  await userEvent.click(screen.getByRole('button', { name: 'Contacts' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Contacts' })).toBeTruthy()
  expect(window.location.pathname).toBe('/contacts')
})

test('what is changed on the page shows there', async () => {
  await openContact('/contacts/contact-1?records=30')
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Contact' }))
  const name = await screen.findByLabelText('Name')
  await userEvent.clear(name)
  await userEvent.type(name, 'Priya S')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Priya S' })).toBeTruthy()
})

test('a contact who is not there leads back', async () => {
  await openContact('/contacts/nobody')
  expect(await screen.findByText('This contact could not be found')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Show all contacts' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Contacts' })).toBeTruthy()
})

test('a person is erased once their name is typed, and the list is without them', async () => {
  const server = await openContact('/contacts/contact-1?records=30')
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for Priya Sharma' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: /Erase for good/ }))
  expect(await screen.findByText('Erase Priya Sharma?')).toBeTruthy()
  const dialog = within(screen.getByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Erase for good' }))
  expect(await dialog.findByText('Type Priya Sharma')).toBeTruthy()
  expect(server.count('POST /api/contacts/contact-1/erase')).toBe(0)
  await userEvent.type(dialog.getByLabelText('Type Priya Sharma to confirm'), 'Priya Sharma')
  await userEvent.click(dialog.getByRole('button', { name: 'Erase for good' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Contacts' })).toBeTruthy()
  expect(await screen.findByText('The contact was erased.')).toBeTruthy()
  expect(server.count('POST /api/contacts/contact-1/erase')).toBe(1)
})
