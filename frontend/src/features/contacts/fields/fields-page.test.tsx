import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { pressUndo } from '../../../testing/press-undo.ts'
import { signedInServer, stubServer, userWithRole } from '../../../testing/stub-server.ts'

/** Defines a field by the dialog. */
async function addField(name: string, type?: string, choices?: string) {
  const [add] = await screen.findAllByRole('button', { name: 'Add Field' })
  if (add) await userEvent.click(add)
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('Name'), name)
  if (type) {
    await userEvent.click(dialog.getByRole('combobox', { name: 'Type' }))
    await userEvent.click(await screen.findByTitle(type))
  }
  if (choices) await userEvent.type(dialog.getByRole('textbox', { name: 'Choices' }), choices)
  await userEvent.click(dialog.getByRole('button', { name: 'Add Field' }))
  await screen.findByText(name, { selector: 'li *' })
}

test('a field is defined, and refused twice', async () => {
  stubServer(signedInServer(), { records: 30 })
  await openApp('/contacts/fields')
  expect(await screen.findByText('No fields yet')).toBeTruthy()
  await addField('Loyalty tier', 'Choice', 'Gold{enter}Silver')
  expect(screen.getByText('Gold · Silver')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Add Field' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('Name'), 'loyalty TIER')
  await userEvent.click(dialog.getByRole('button', { name: 'Add Field' }))
  expect(await dialog.findByText('There is a field named loyalty TIER already.')).toBeTruthy()
})

test('a field that is deleted comes back with Undo', async () => {
  stubServer(signedInServer(), { records: 30 })
  await openApp('/contacts/fields')
  await addField('Birthday', 'Date')
  await userEvent.click(screen.getByRole('button', { name: 'Actions for the field Birthday' }))
  await userEvent.click(await screen.findByText('Delete'))
  expect(await screen.findByText('No fields yet')).toBeTruthy()
  await pressUndo()
  expect(await screen.findByText('Birthday', { selector: 'li *' })).toBeTruthy()
})

test('who may not define fields sees them only', async () => {
  stubServer({ ...signedInServer(), 'GET /api/auth/user': () => userWithRole('agent') }, { records: 30 })
  await openApp('/contacts/fields')
  expect(await screen.findByText('No fields yet')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Add Field' })).toBeNull())
})
