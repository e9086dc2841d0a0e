import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../testing/stub-server.ts'

test('another workspace needs a name, and the page goes there once it is made', async () => {
  const server = stubServer({
    ...signedInServer(),
    'POST /api/workspaces': () => ({ status: 201, json: { id: 'workspace-2', name: 'Second shop', role: 'owner' } }),
    'POST /auth/workspace': () => ({ status: 204 }),
  })
  await openApp('/settings?tab=account')
  const card = within(await screen.findByRole('region', { name: 'Another Workspace' }))
  const create = card.getByRole('button', { name: 'Create Workspace' })
  await userEvent.click(create)
  expect(await card.findByText('Enter the name of your business.')).toBeTruthy()
  await userEvent.type(card.getByLabelText('Name of the Business'), 'Second shop')
  await userEvent.click(create)
  const bodyOf = (path: string) => server.calls.find((call) => call.method === 'POST' && call.path === path)?.body
  await waitFor(() => expect(bodyOf('/auth/workspace')).toBe(JSON.stringify({ workspaceId: 'workspace-2' })))
  expect(bodyOf('/api/workspaces')).toBe(JSON.stringify({ name: 'Second shop' }))
})
