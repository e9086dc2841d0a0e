import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { claimsOf, errorOf, sessionOf, signedInServer, signedOutServer, stubServer } from '../../testing/stub-server.ts'

const token = 'T'.repeat(43)
const link = `/signup#invitation=${token}`
const preview = {
  id: 'i1',
  workspaceName: 'Corner Shop',
  inviter: 'Ann Lee',
  email: 'asha@example.com',
  role: 'agent',
}
const opened = { 'POST /auth/invitation': () => ({ json: preview }) }

test('the link shows who invites, has the address fixed, and leaves the address bar', async () => {
  const server = stubServer({ ...signedOutServer, ...opened })
  await openApp(link)
  expect(await screen.findByRole('heading', { name: 'Join Corner Shop' })).toBeTruthy()
  expect(screen.getByText('Ann Lee invites you to work here as an agent.')).toBeTruthy()
  const email = screen.getByLabelText('Email')
  expect([email.getAttribute('value'), email.hasAttribute('readonly')]).toEqual([preview.email, true])
  expect(window.location.hash).toBe('')
  const asked = server.calls.find(({ path }) => path === '/auth/invitation')
  expect(JSON.parse(asked?.body ?? '')).toEqual({ token })
})

test('an account that is made so goes on to its profile, not to a mail', async () => {
  const server = stubServer({ ...signedOutServer, ...opened })
  await openApp(link)
  await screen.findByRole('heading', { name: 'Join Corner Shop' })
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse')
  await userEvent.type(screen.getByLabelText('Confirm Password'), 'correct horse')
  server.answer('POST /auth/sign-up', () => {
    server.answer('GET /auth/session', () => ({ json: sessionOf() }))
    return { status: 201, json: { email: preview.email, signedIn: true } }
  })
  const { 'POST /api/auth/sync': sync, 'GET /api/auth/user': user } = signedInServer()
  if (sync && user) {
    server.answer('POST /api/auth/sync', sync)
    server.answer('GET /api/auth/user', user)
  }
  await userEvent.click(screen.getByRole('button', { name: 'Sign Up' }))
  expect(await screen.findByText('Account created! You are in Corner Shop.')).toBeTruthy()
  await waitFor(() => expect(window.location.pathname).toBe('/profile-setup'))
})

test('a link that is over says so, and leaves the way to an account of one’s own', async () => {
  stubServer({
    ...signedOutServer,
    'POST /auth/invitation': () => ({ status: 410, json: errorOf('invitation_ended', 'This invitation is over.') }),
  })
  await openApp(link)
  expect(await screen.findByText('This invitation is over.')).toBeTruthy()
  expect(screen.getByLabelText('Email').hasAttribute('readonly')).toBe(false)
})

test('who is signed in with the invited address accepts, and the page goes to the workspace', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  const server = stubServer({
    ...signedInServer(),
    ...opened,
    'POST /api/invitations/mine/i1/accept': () => ({ json: { workspaceId: 'workspace-2' } }),
    'POST /auth/workspace': () => ({ status: 204 }),
  })
  await openApp(link)
  await userEvent.click(await screen.findByRole('button', { name: 'Accept' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/dashboard'))
  const went = server.calls.find(({ path }) => path === '/auth/workspace')
  expect(JSON.parse(went?.body ?? '')).toEqual({ workspaceId: 'workspace-2' })
  assign.mockRestore()
})

test('who is signed in with another address is told whose the invitation is', async () => {
  stubServer({ ...signedInServer(claimsOf({ email: 'eve@example.com' })), ...opened })
  await openApp(link)
  expect(await screen.findByText(/The invitation is for asha@example.com/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Log out and go on' })).toBeTruthy()
})
