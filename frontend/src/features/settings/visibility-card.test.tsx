import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../testing/stub-server.ts'

test('agents see all at first; limiting them to their own says what else is closed to them, and is saved', async () => {
  const server = stubServer(signedInServer())
  await openApp('/settings?tab=account')
  const card = within(await screen.findByRole('region', { name: 'What Agents See' }))
  expect(await card.findByRole('radio', { name: 'All conversations', checked: true })).toBeTruthy()
  expect(card.queryByText(/list of contacts/)).toBeNull()
  await userEvent.click(card.getByRole('radio', { name: 'Their own, and those that nobody has' }))
  expect(card.getByText(/list of contacts/)).toBeTruthy()
  await userEvent.click(card.getByRole('button', { name: 'Save What Agents See' }))
  expect(await screen.findByText('The setting is saved.')).toBeTruthy()
  const put = server.calls.findLast(({ method }) => method === 'PUT')
  expect([put?.path, JSON.parse(put?.body ?? '')]).toEqual([
    '/api/workspace/visibility',
    { agentSees: 'own', version: 0 },
  ])
})
