import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { signedInServer, stubServer, unavailable, userWithRole } from '../../../testing/stub-server.ts'

test('a macro is written, refused at its place, and saved', async () => {
  stubServer(signedInServer(), { records: 3 })
  await openApp('/settings?tab=macros')
  expect(await screen.findByText('No macros yet')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Create Macro' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create Macro' }))
  await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Broken order')
  await userEvent.type(dialog.getByRole('combobox', { name: 'Tag of action 1' }), 'broken')
  await userEvent.click(dialog.getByRole('button', { name: 'Add action' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Save Macro' }))
  expect(await dialog.findByText('Enter a text')).toBeTruthy()
  await userEvent.type(dialog.getByRole('textbox', { name: 'Text of action 2' }), 'Refund agreed')
  await userEvent.click(dialog.getByRole('button', { name: 'Save Macro' }))
  const macros = within(await screen.findByRole('list', { name: 'Macros' }))
  expect(await macros.findByText('Add the tag broken · Write a note')).toBeTruthy()
})

test('who may not write sees macros and changes none; a failed read can be tried again', async () => {
  const server = stubServer({ ...signedInServer(), 'GET /api/auth/user': () => userWithRole('viewer') })
  server.answer('GET /api/macros', unavailable)
  await openApp('/settings?tab=macros')
  const retry = await screen.findByRole('button', { name: 'Retry' })
  const at = '2026-11-22T10:00:00.000Z'
  const problems = [{ index: 0, message: 'This person is not a member of the workspace any more.' }]
  const stored = { name: 'To Bo', actions: [{ kind: 'assign', memberId: 'user-9' }], version: 1, problems }
  server.answer('GET /api/macros', () => ({
    json: { items: [{ ...stored, id: 'macro-1', createdAt: at, updatedAt: at }] },
  }))
  await userEvent.click(retry)
  expect(await screen.findByText(/^Action 1: This person is not a member/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Create Macro' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Actions for To Bo' })).toBeNull()
})
