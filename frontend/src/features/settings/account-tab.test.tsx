import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer, userOf } from '../../testing/stub-server.ts'

const at = '2026-01-01T00:00:00.000Z'
const workspace = {
  id: 'workspace-1',
  name: 'Chai & Co',
  email: 'hello@chaiandco.example',
  phone: '+918041234567',
  createdBy: 'user-1',
  version: 3,
  createdAt: at,
  updatedAt: at,
}
const bodyOf = (server: ReturnType<typeof stubServer>, key: string) =>
  server.calls.filter(({ method, path }) => `${method} ${path}` === key).map(({ body }) => JSON.parse(body ?? ''))

async function openAccount(role = 'owner') {
  const server = stubServer({
    ...signedInServer(undefined, userOf({ role })),
    'GET /api/workspace': () => ({ json: workspace }),
  })
  await openApp('/settings?tab=account')
  return server
}
const type = async (label: string, text: string) => {
  const field = await screen.findByLabelText(label)
  await userEvent.clear(field)
  await userEvent.type(field, text)
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

test('the business is renamed with the version that was seen', async () => {
  const server = await openAccount()
  server.answer('PATCH /api/workspace', () => ({ json: { ...workspace, name: 'Chai Corner', version: 4 } }))
  await type('Account Name', 'Chai Corner')
  await press('Update Account')
  expect(await screen.findByText('The account is saved.')).toBeTruthy()
  const { name, email, phone } = { ...workspace, name: 'Chai Corner' }
  expect(bodyOf(server, 'PATCH /api/workspace')).toEqual([{ name, email, phone, version: 3 }])
})

test('what somebody else changed meanwhile is shown, and what was typed stays', async () => {
  const server = await openAccount()
  const current = { ...workspace, name: 'Chai of Ann', version: 4 }
  server.answer('PATCH /api/workspace', () => ({ status: 409, json: { ...errorOf('stale_version', 'No.'), current } }))
  await type('Account Name', 'Chai of mine')
  await press('Update Account')
  expect(await screen.findByText('This account was changed elsewhere while you were editing')).toBeTruthy()
  expect(screen.getByRole('textbox', { name: 'Account Name' })).toHaveProperty('value', 'Chai of mine')
})

test('an agent reads the account and changes nothing of it', async () => {
  await openAccount('agent')
  expect(await screen.findByText('Only owners and admins change the account.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Update Account' })).toBeNull()
})

async function changePassword(current: string, next: string) {
  await type('Current Password', current)
  await type('New Password', next)
  await type('Confirm New Password', next)
  await press('Change Password')
}

test('the password is changed, and the fields are empty again', async () => {
  const server = await openAccount()
  server.answer('POST /auth/password', () => ({ status: 204 }))
  await changePassword('old secret', 'new secret')
  expect(await screen.findByText(/^Your password is changed/)).toBeTruthy()
  expect(bodyOf(server, 'POST /auth/password')).toEqual([{ current: 'old secret', next: 'new secret' }])
  await waitFor(() => expect(screen.getByLabelText('Current Password')).toHaveProperty('value', ''))
})

test('a wrong password is said beside its field', async () => {
  const server = await openAccount()
  server.answer('POST /auth/password', () => ({
    status: 400,
    json: errorOf('password_wrong', 'That is not your password.'),
  }))
  await changePassword('guess', 'new secret')
  expect(await screen.findByText('That is not your password.')).toBeTruthy()
})
