import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer } from '../../../testing/stub-server.ts'

test('pairs tell what comes of them, one is turned round, and what is chosen is merged as it was shown', async () => {
  const path = 'POST /api/contact-merges'
  const server = stubServer(signedInServer())
  const [kept, other] = ['contact-1', 'contact-2'].map((id) => server.workspace.contacts.get(id))
  if (!kept || !other) throw new Error('the sample has two contacts')
  const twin = { ...other, name: kept.name, attributes: { note: 'Prefers mornings' } }
  const moved = { kept: { conversations: 1, messages: 9 }, other: { conversations: 2, messages: 5 } }
  server.answer('GET /api/contact-merges/suggestions', () => ({
    json: { items: [{ kept, other: twin, because: 'email', moved }], next: null },
  }))
  server.answer(path, () => ({ status: 409, json: errorOf('wrong_state', 'At most 1 contact at once.') }))
  await openApp('/contacts?duplicates=1')
  const dialog = within(await screen.findByRole('dialog', { name: 'Possible duplicates' }))
  const pairs = within(await dialog.findByRole('list', { name: 'Possible duplicates' }))
  const row = pairs.getByRole('listitem')
  expect(row.textContent).toMatch(/2 conversations with 5 messages move.*Added: .*Prefers mornings.*Given up/)
  expect(dialog.getByRole('button', { name: 'Merge' })).toHaveProperty('disabled', true)
  await userEvent.click(pairs.getByRole('button', { name: /^Keep the other: / }))
  await waitFor(() => expect(row.textContent).toMatch(/1 conversation with 9 messages move/))
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Choose all 1 pair' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Merge 1 pair' }))
  expect(await dialog.findByText('At most 1 contact at once.')).toBeTruthy()
  const { body } = server.calls.find((call) => `${call.method} ${call.path}` === path) ?? {}
  expect(JSON.parse(body ?? '').pairs).toEqual([
    { keptId: other.id, version: other.version, otherId: kept.id, otherVersion: kept.version },
  ])
})
