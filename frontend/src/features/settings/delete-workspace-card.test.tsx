import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer, userOf } from '../../testing/stub-server.ts'

const until = '2026-02-08T00:00:00.000Z'
async function openCard(over: object = {}) {
  const user = userOf({ role: 'owner', ...over })
  const server = stubServer({
    ...signedInServer(undefined, user),
    'POST /auth/confirm': () => ({ status: 204 }),
    'POST /api/workspace/deletion': () => ({ json: { until } }),
    'POST /api/workspace/deletion/now': () => ({ status: 204 }),
    'DELETE /api/workspace/deletion': () => ({ status: 204 }),
  })
  await openApp('/settings?tab=account')
  return { server, name: user.workspaceName }
}
const card = async () => within(await screen.findByRole('region', { name: 'Delete Workspace' }))

test('the workspace is deleted once its name and the password are typed', async () => {
  const { server, name } = await openCard()
  await userEvent.click((await card()).getByRole('button', { name: 'Delete Workspace' }))
  const dialog = within(await screen.findByRole('dialog'))
  const submit = () => userEvent.click(dialog.getByRole('button', { name: /Delete Workspace$/ }))
  await userEvent.type(dialog.getByLabelText(`Type ${name} to confirm`), 'Another')
  await submit()
  expect(await dialog.findByText('Type the name as it is shown.')).toBeTruthy()
  await userEvent.clear(dialog.getByLabelText(`Type ${name} to confirm`))
  await userEvent.type(dialog.getByLabelText(`Type ${name} to confirm`), name)
  await submit()
  expect(await dialog.findByText('Enter your password.')).toBeTruthy()
  await userEvent.type(dialog.getByLabelText('Your Password'), 'guess')
  server.answer('POST /auth/confirm', () => ({ status: 400, json: errorOf('password_wrong', 'That is not it.') }))
  await submit()
  expect(await dialog.findByText('That is not it.')).toBeTruthy()
  expect(server.count('POST /api/workspace/deletion')).toBe(0)
  server.answer('POST /auth/confirm', () => ({ status: 204 }))
  await submit()
  await waitFor(() => expect(server.count('POST /api/workspace/deletion')).toBe(1))
  const sent = server.calls.find(({ method, path }) => method === 'POST' && path === '/api/workspace/deletion')
  expect(sent?.body).toBe(JSON.stringify({ name }))
})

test.each(['admin', 'agent', 'viewer'])('an %s is not offered to delete it', async (role) => {
  await openCard({ role })
  expect(await screen.findByRole('region', { name: 'Security' })).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Delete Workspace' })).toBeNull()
})

test('an owner of a closed workspace is told on every screen, and restores it there', async () => {
  const { server, name } = await openCard({ closesAt: until })
  const banner = within(await screen.findByRole('region', { name: 'Workspace deletion' }))
  expect(banner.getByText(name)).toBeTruthy()
  expect(await (await card()).findByRole('button', { name: 'Erase Now' })).toBeTruthy()
  await userEvent.click(banner.getByRole('button', { name: 'Restore' }))
  await waitFor(() => expect(server.count('DELETE /api/workspace/deletion')).toBe(1))
})

test('another member of a closed workspace sees that, and goes to their other workspace', async () => {
  const user = userOf({ role: 'agent', closesAt: until })
  const server = stubServer({
    ...signedInServer(undefined, user),
    'GET /api/workspaces': () => ({
      json: {
        items: [
          { id: user.workspaceId, name: user.workspaceName, role: 'agent' },
          { id: 'w2', name: 'Second shop', role: 'owner' },
        ],
      },
    }),
    'POST /auth/workspace': () => ({ status: 204 }),
  })
  await openApp('/conversations')
  expect(await screen.findByRole('heading', { name: `${user.workspaceName} is being deleted` })).toBeTruthy()
  expect(screen.queryByRole('navigation')).toBeNull()
  await userEvent.click(await screen.findByRole('button', { name: 'Open Second shop' }))
  await waitFor(() => expect(server.count('POST /auth/workspace')).toBe(1))
  expect(server.count('GET /api/conversations')).toBe(0)
})

test('a call that meets a workspace closed meanwhile has the page look again who may be here', async () => {
  const user = userOf({ role: 'agent' })
  let refused = false
  stubServer({
    ...signedInServer(undefined, user),
    'GET /api/auth/user': () => ({ json: refused ? { ...user, closesAt: until } : user }),
    'GET /api/workspace': () => {
      refused = true
      return { status: 409, json: errorOf('workspace_closing', 'It is being deleted.') }
    },
  })
  await openApp('/settings?tab=account')
  expect(await screen.findByRole('heading', { name: `${user.workspaceName} is being deleted` })).toBeTruthy()
})
