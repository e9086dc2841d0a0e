import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer, userOf } from '../../testing/stub-server.ts'

async function openDialog() {
  const user = userOf()
  const server = stubServer({
    ...signedInServer(undefined, user),
    'POST /auth/confirm': () => ({ status: 204 }),
    'POST /auth/account-deletion': () => ({ status: 204 }),
  })
  await openApp('/profile')
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Account' }))
  const dialog = within(await screen.findByRole('dialog'))
  const submit = () => userEvent.click(dialog.getByRole('button', { name: /Delete Account$/ }))
  return { server, user, dialog, submit }
}

test('an account is deleted once its address and the password are typed, and the person is signed out', async () => {
  const { server, user, dialog, submit } = await openDialog()
  await submit()
  expect(await dialog.findByText('Type the address as it is shown.')).toBeTruthy()
  await userEvent.type(dialog.getByLabelText(`Type ${user.email} to confirm`), user.email)
  await submit()
  expect(await dialog.findByText('Enter your password.')).toBeTruthy()
  expect(server.count('POST /auth/account-deletion')).toBe(0)
  await userEvent.type(dialog.getByLabelText('Your Password'), 'correct horse')
  server.answer('GET /auth/session', () => ({ json: { authenticated: false } }))
  await submit()
  await waitFor(() => expect(server.count('POST /auth/account-deletion')).toBe(1))
  expect(await screen.findByRole('button', { name: 'Log In' })).toBeTruthy()
})

test('the last owner of a team is told which workspace holds them', async () => {
  const { server, user, dialog, submit } = await openDialog()
  server.answer('POST /auth/account-deletion', () => ({
    status: 409,
    json: errorOf('last_owner', 'You are the last owner of Corner Shop.'),
  }))
  await userEvent.type(dialog.getByLabelText(`Type ${user.email} to confirm`), user.email)
  await userEvent.type(dialog.getByLabelText('Your Password'), 'correct horse')
  await submit()
  expect((await screen.findAllByText('You are the last owner of Corner Shop.')).length).toBeGreaterThan(0)
})
