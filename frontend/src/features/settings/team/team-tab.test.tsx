import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { claimsOf, errorOf, signedInServer, stubServer, unavailable, userOf } from '../../../testing/stub-server.ts'

const at = '2026-01-01T00:00:00.000Z'
const memberOf = (id: string, name: string, role: string, userId = `user-of-${id}`) => ({
  id,
  userId,
  name,
  email: `${id}@example.com`,
  role,
  status: 'active',
  lastSeenAt: null,
  version: 1,
  createdAt: at,
  updatedAt: at,
})
const asha = (role: string) => memberOf('m1', 'Asha Rao', role, userOf().id)
const bob = memberOf('m2', 'Bob Reed', 'agent')
const invitation = (over: object = {}) => ({
  id: 'i1',
  email: 'carl@example.com',
  role: 'agent',
  state: 'open',
  expiresAt: '2026-01-08T00:00:00.000Z',
  invitedBy: userOf().id,
  sentAt: at,
  sends: 1,
  mail: { state: 'sent' },
  version: 1,
  createdAt: at,
  updatedAt: at,
  ...over,
})

async function openTeam({ role = 'owner', others = [bob], invited = [] as object[], claims = claimsOf() } = {}) {
  const items = [asha(role), ...others]
  const server = stubServer({
    ...signedInServer(claims, userOf({ role })),
    'GET /api/members': () => ({ json: { items, total: items.length, nextCursor: null, previousCursor: null } }),
    'GET /api/invitations': () => ({ json: { items: invited } }),
  })
  await openApp('/settings?tab=team')
  return server
}
const card = async (name: string) => within(await screen.findByRole('region', { name }))
const bodies = (server: ReturnType<typeof stubServer>, key: string) =>
  server.calls.filter(({ method, path }) => `${method} ${path}` === key).map(({ body }) => JSON.parse(body ?? '{}'))
const choose = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Bob Reed' }))
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}

test('members are listed with their roles, oneself marked, and each role is explained', async () => {
  await openTeam()
  const members = await card('Members')
  const rows = (await members.findAllByRole('listitem')).map(({ textContent }) => textContent)
  expect(rows[0]).toContain('Asha RaoYou')
  expect(rows[1]).toContain('Bob Reed')
  const roles = await card('Roles')
  expect(roles.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    'Owner',
    'Admin',
    'Agent',
    'Viewer',
  ])
})

test('a person is invited, and what the server says of the address stands beside it', async () => {
  const server = await openTeam()
  await userEvent.click(await screen.findByRole('button', { name: 'Invite' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('Email'), 'bob@example.com')
  server.answer('POST /api/invitations', () => ({
    status: 409,
    json: errorOf('member_exists', 'Bob is here already.'),
  }))
  await userEvent.click(dialog.getByRole('button', { name: 'Send Invitation' }))
  expect(await dialog.findByText('Bob is here already.')).toBeTruthy()
  server.answer('POST /api/invitations', () => ({ status: 201, json: invitation() }))
  await userEvent.click(dialog.getByRole('button', { name: /Send Invitation$/ }))
  expect(await screen.findByText('bob@example.com is invited.')).toBeTruthy()
  expect(bodies(server, 'POST /api/invitations').at(-1)).toEqual({ email: 'bob@example.com', role: 'agent' })
})

test('a role is changed with the version that was seen', async () => {
  const server = await openTeam()
  server.answer('PATCH /api/members/m2', () => ({ json: { ...bob, role: 'viewer', version: 2 } }))
  await choose('Change Role')
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('combobox'))
  await userEvent.click(await screen.findByTitle('Viewer'))
  await userEvent.click(dialog.getByRole('button', { name: 'Change Role' }))
  expect(await screen.findByText('Bob Reed is Viewer now.')).toBeTruthy()
  expect(bodies(server, 'PATCH /api/members/m2')).toEqual([{ role: 'viewer', version: 1 }])
})

test('a question that was cancelled leaves nothing behind, and a role that was changed meanwhile is read anew', async () => {
  const server = await openTeam()
  await choose('Change Role')
  const first = within(await screen.findByRole('dialog'))
  await userEvent.click(first.getByRole('combobox'))
  await userEvent.click(await screen.findByTitle('Viewer'))
  await userEvent.click(first.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await choose('Change Role')
  const dialog = within(await screen.findByRole('dialog'))
  const submit = dialog.getByRole<HTMLButtonElement>('button', { name: 'Change Role' })
  expect(dialog.getByTitle('Agent')).toBeTruthy()
  expect(submit.disabled).toBe(true)
  await userEvent.click(dialog.getByRole('combobox'))
  await userEvent.click(await screen.findByTitle('Viewer'))
  server.answer('PATCH /api/members/m2', () => ({ status: 409, json: errorOf('stale_version', 'It has changed.') }))
  const items = [asha('owner'), { ...bob, role: 'admin', version: 2 }]
  server.answer('GET /api/members', () => ({ json: { items, total: 2, nextCursor: null, previousCursor: null } }))
  await userEvent.click(submit)
  await screen.findByText('It has changed.')
  await (await card('Members')).findByText('Admin')
  server.answer('PATCH /api/members/m2', () => ({ json: { ...bob, role: 'viewer', version: 3 } }))
  await userEvent.click(dialog.getByRole('button', { name: /Change Role$/ }))
  await screen.findByText('Bob Reed is Viewer now.')
  expect(bodies(server, 'PATCH /api/members/m2').map(({ version }) => version)).toEqual([1, 2])
})

test('a member is removed after a question; a refusal says why', async () => {
  const server = await openTeam()
  server.answer('DELETE /api/members/m2', () => ({ status: 409, json: errorOf('last_owner', 'The last owner stays.') }))
  await choose('Remove')
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/API keys that they made go on/)).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Remove' }))
  expect(await screen.findByText('The last owner stays.')).toBeTruthy()
  server.answer('DELETE /api/members/m2', () => ({ status: 204 }))
  await userEvent.click(dialog.getByRole('button', { name: /Remove$/ }))
  expect(await screen.findByText('Bob Reed was removed.')).toBeTruthy()
})

test('a transfer asks for the password, and a wrong one is said beside it', async () => {
  const server = await openTeam()
  server.answer('POST /auth/confirm', () => ({
    status: 400,
    json: errorOf('password_wrong', 'That is not your password.'),
  }))
  await choose('Transfer Workspace')
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('Your Password'), 'guess')
  await userEvent.click(dialog.getByRole('button', { name: 'Transfer' }))
  expect(await dialog.findByText('That is not your password.')).toBeTruthy()
  expect(server.count('POST /api/members/m2/transfer')).toBe(0)
})

test('a password that is kept elsewhere is not asked for, or not checked: a recent sign-in counts, or is asked for', async () => {
  const server = await openTeam({ claims: claimsOf({ identity_provider: 'google' }) })
  const late = errorOf('confirmation_required', 'Confirm that it is you.')
  server.answer('POST /api/members/m2/transfer', () => ({ status: 403, json: late }))
  await choose('Transfer Workspace')
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Transfer' }))
  expect(await screen.findByText('Sign out and in again, then do this within ten minutes.')).toBeTruthy()
  expect([server.count('POST /auth/confirm'), server.count('POST /api/members/m2/transfer')]).toEqual([0, 1])
})

test('where passwords are entered on a page elsewhere, the server decides by the sign-in', async () => {
  const server = await openTeam()
  server.answer('POST /auth/confirm', () => ({ status: 409, json: errorOf('wrong_state', 'It is kept elsewhere.') }))
  server.answer('POST /api/members/m2/transfer', () => ({ status: 204 }))
  await choose('Transfer Workspace')
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('Your Password'), 'correct horse')
  await userEvent.click(dialog.getByRole('button', { name: 'Transfer' }))
  expect(await screen.findByText(/^Bob Reed owns the workspace now/)).toBeTruthy()
})

test.each(['agent', 'viewer'])('an %s sees the team and is offered nothing that would be refused', async (role) => {
  await openTeam({ role })
  const members = await card('Members')
  await members.findByText('Bob Reed')
  expect(screen.queryByRole('button', { name: 'Invite' })).toBeNull()
  expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull()
  expect(screen.queryByRole('region', { name: 'Invitations' })).toBeNull()
  expect(await screen.findByRole('button', { name: 'Leave Workspace' })).toBeTruthy()
})

test('an admin is offered nothing about an owner', async () => {
  await openTeam({ role: 'admin', others: [memberOf('m3', 'Olga Owner', 'owner'), bob] })
  expect(await screen.findByRole('button', { name: 'Actions for Bob Reed' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Actions for Olga Owner' })).toBeNull()
})

test('an invitation is sent again or revoked; a mail that was refused says why', async () => {
  const failed = invitation({ mail: { state: 'failed', reason: '550 no such mailbox' } })
  const server = await openTeam({
    invited: [failed, invitation({ id: 'i2', email: 'old@example.com', state: 'expired' })],
  })
  const invitations = await card('Invitations')
  expect(await invitations.findByText('550 no such mailbox')).toBeTruthy()
  expect(invitations.getByText(/Expired/)).toBeTruthy()
  expect(invitations.queryByRole('button', { name: /old@example.com/ })).toBeNull()
  server.answer('POST /api/invitations/i1/resend', () => ({ json: invitation({ sends: 2 }) }))
  await userEvent.click(invitations.getByRole('button', { name: 'Resend the invitation to carl@example.com' }))
  expect(await screen.findByText('Another mail is on its way.')).toBeTruthy()
  server.answer('DELETE /api/invitations/i1', () => ({ status: 204 }))
  await userEvent.click(invitations.getByRole('button', { name: 'Revoke the invitation to carl@example.com' }))
  expect(await screen.findByText('The invitation is revoked.')).toBeTruthy()
})

test('nobody invited is said, and what cannot be loaded can be tried again', async () => {
  const server = await openTeam()
  expect(await screen.findByText(/^Nobody is invited/)).toBeTruthy()
  server.answer('GET /api/members', unavailable)
  await openApp('/settings?tab=team')
  const members = await card('Members')
  expect(await members.findByText('The members could not be loaded.')).toBeTruthy()
  server.answer('GET /api/members', () => ({
    json: { items: [asha('owner'), bob], total: 2, nextCursor: null, previousCursor: null },
  }))
  await userEvent.click(members.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(members.getByText('Bob Reed')).toBeTruthy())
})

test('the roles below one’s own can be looked as; meanwhile a banner says so and leads back', async () => {
  const server = await openTeam({ role: 'admin' })
  server.answer('POST /auth/view-as', () => ({ status: 204 }))
  const roles = await card('Roles')
  expect(roles.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'View as Agent',
    'View as Viewer',
  ])
  await userEvent.click(roles.getByRole('button', { name: 'View as Agent' }))
  await waitFor(() => expect(bodies(server, 'POST /auth/view-as')).toEqual([{ role: 'agent' }]))
})

test('an agent is offered no other role to look as', async () => {
  await openTeam({ role: 'agent' })
  expect((await card('Roles')).queryByRole('button')).toBeNull()
})

test('a banner says as whom the workspace is shown, and Stop ends that', async () => {
  const user = userOf({ role: 'agent', viewing: true })
  const server = stubServer({ ...signedInServer(undefined, user), 'POST /auth/view-as': () => ({ status: 204 }) })
  await openApp('/dashboard')
  const banner = await card('View as another role')
  expect(banner.getByText('agent', { selector: 'b' })).toBeTruthy()
  await userEvent.click(banner.getByRole('button', { name: 'Stop' }))
  await waitFor(() => expect(bodies(server, 'POST /auth/view-as')).toEqual([{ role: null }]))
})
