import type { ApiKey } from '@parley/contracts/account/api-keys'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer, unavailable, userWithRole } from '../../../testing/stub-server.ts'
import { keyOf, scopeGroups } from './key-form.ts'

const path = '/api/api-keys'
const at = '2026-03-02T10:00:00.000Z'
const key = (id: string, more: Partial<ApiKey> = {}): ApiKey => ({
  id,
  prefix: `ply_${id}`,
  name: 'Shop',
  scopes: ['conversations:write', 'contacts:read'],
  numbers: [],
  networks: [],
  expiresAt: '2027-03-02T10:00:00.000Z',
  expired: false,
  createdBy: 'a1',
  replacedBy: null,
  lastUsedAt: null,
  lastUsedIp: null,
  createdAt: at,
  updatedAt: at,
  version: 1,
  ...more,
})

async function openKeys(keys: readonly ApiKey[], handlers: Parameters<typeof stubServer>[0] = {}) {
  const server = stubServer({ ...signedInServer(), [`GET ${path}`]: () => ({ json: { items: keys } }), ...handlers })
  await openApp('/settings?tab=keys')
  const panel = within(await screen.findByRole('tabpanel', { name: 'API Keys' }))
  return { server, panel }
}

test('keys stand there with scopes, last use and end; an expired one says so', async () => {
  const asha = { id: 'm1', userId: 'a1', name: 'Asha Rao', email: 'asha@example.com', role: 'admin', status: 'active' }
  const items = [{ ...asha, lastSeenAt: null, version: 1, createdAt: at, updatedAt: at }]
  const keys = [
    key('first0000000', { lastUsedAt: at, lastUsedIp: '203.0.113.7', numbers: ['n1'] }),
    key('second000000', { name: 'Old', expired: true, createdBy: 'who-left' }),
  ]
  const { panel } = await openKeys(keys, {
    'GET /api/members': () => ({ json: { items, total: 1, nextCursor: null, previousCursor: null } }),
  })
  const row = within(await panel.findByRole('row', { name: /Shop/ }))
  expect(row.getByText('ply_first0000000_…')).toBeTruthy()
  expect(row.getByText('Conversations and messages: change')).toBeTruthy()
  expect(row.getByText('and 1 more')).toBeTruthy()
  expect(row.getByText('1 of the numbers')).toBeTruthy()
  expect(row.getByText('203.0.113.7')).toBeTruthy()
  expect(await row.findByText('by Asha Rao')).toBeTruthy()
  const old = within(panel.getByRole('row', { name: /Old/ }))
  expect(old.getByText('Expired')).toBeTruthy()
  expect(old.getByText('by a former member')).toBeTruthy()
})

test('a key is made with chosen scopes, and shown once', async () => {
  const secret = `ply_new000000000_${'s'.repeat(49)}`
  const { server, panel } = await openKeys([], {
    [`POST ${path}`]: () => ({ status: 201, json: { key: key('new000000000', { name: 'Till' }), secret } }),
  })
  expect(await panel.findByText('No API keys yet')).toBeTruthy()
  await userEvent.click(panel.getByRole('button', { name: 'Create API Key' }))
  const form = within(await screen.findByRole('dialog'))
  await userEvent.click(form.getByRole('button', { name: 'Create Key' }))
  expect(await form.findByText('Give the key a name.')).toBeTruthy()
  expect(form.getByText('Choose at least one scope.')).toBeTruthy()
  await userEvent.type(form.getByLabelText('Name'), 'Till')
  await userEvent.click(form.getByRole('checkbox', { name: 'Contacts: Read' }))
  await userEvent.click(form.getByRole('checkbox', { name: 'Contacts: Change' }))
  await userEvent.click(form.getByRole('checkbox', { name: 'Contacts: Change' }))
  await userEvent.click(form.getByRole('button', { name: 'Create Key' }))
  expect(await screen.findByText(secret)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Copy API key' })).toBeTruthy()
  const sent = server.calls.find((call) => call.method === 'POST' && call.path.startsWith(path))
  expect(JSON.parse(sent?.body ?? '')).toEqual({
    name: 'Till',
    scopes: ['contacts:read'],
    numbers: [],
    networks: [],
    expiresInDays: 365,
  })
  await userEvent.click(screen.getByRole('button', { name: 'I Have Copied It' }))
  await waitFor(() => expect(screen.queryByText(secret)).toBeNull())
})

test('what the server refuses stands at its field, and what was typed stays', async () => {
  const fields = { numbers: 'A key for some numbers cannot have campaigns:read.' }
  const { panel } = await openKeys([], {
    [`POST ${path}`]: () => ({
      status: 400,
      json: { ...errorOf('validation_failed', fields.numbers), fields },
    }),
  })
  await userEvent.click(await panel.findByRole('button', { name: 'Create API Key' }))
  const form = within(await screen.findByRole('dialog'))
  await userEvent.type(form.getByLabelText('Name'), 'Till')
  await userEvent.click(form.getByRole('checkbox', { name: 'Campaigns: Read' }))
  await userEvent.click(form.getByRole('button', { name: 'Create Key' }))
  expect(await form.findByText(fields.numbers)).toBeTruthy()
  expect(form.getByLabelText('Name')).toHaveProperty('value', 'Till')
})

test('a key is rotated with an overlap, and revoked after a question', async () => {
  const { server, panel } = await openKeys([key('first0000000')], {
    [`POST ${path}/first0000000/rotate`]: () => ({
      status: 201,
      json: { key: key('next00000000'), secret: `ply_next00000000_${'s'.repeat(49)}` },
    }),
    [`DELETE ${path}/first0000000`]: () => ({ status: 204 }),
  })
  const choose = async (item: string) => {
    await userEvent.click(await panel.findByRole('button', { name: 'Actions for Shop' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: item }))
  }
  await choose('Rotate')
  await userEvent.click(await screen.findByRole('button', { name: 'Rotate Key' }))
  expect(await screen.findByText(/^ply_next00000000_s+$/)).toBeTruthy()
  const rotated = server.calls.find((call) => call.method === 'POST' && call.path.startsWith(path))
  expect(JSON.parse(rotated?.body ?? '')).toEqual({ overlapHours: 24 })
  await userEvent.click(screen.getByRole('button', { name: 'I Have Copied It' }))
  await choose('Revoke')
  expect(server.count(`DELETE ${path}/first0000000`)).toBe(0)
  await userEvent.click(await screen.findByRole('button', { name: 'Revoke Key' }))
  expect(await screen.findByText('Shop is revoked.')).toBeTruthy()
  expect(server.count(`DELETE ${path}/first0000000`)).toBe(1)
})

test('an overlap that was chosen and cancelled is forgotten; a lost answer says what may have been made', async () => {
  const { server, panel } = await openKeys([key('first0000000')])
  const rotate = async () => {
    await userEvent.click(await panel.findByRole('button', { name: 'Actions for Shop' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Rotate' }))
    return within(await screen.findByRole('dialog', { name: 'Rotate Shop?' }))
  }
  const first = await rotate()
  await userEvent.click(first.getByRole('combobox'))
  await userEvent.click(await screen.findByTitle('End it at once'))
  await userEvent.click(first.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const second = await rotate()
  expect(second.getByTitle('1 day')).toBeTruthy()
  server.answer(`POST ${path}/first0000000/rotate`, unavailable)
  const read = server.count(`GET ${path}`)
  await userEvent.click(second.getByRole('button', { name: 'Rotate Key' }))
  expect(await screen.findByText(/^No answer came\. The key may have been made/)).toBeTruthy()
  expect(server.count(`GET ${path}`)).toBeGreaterThan(read)
})

test('a key is edited: what is not touched stays, also its end', async () => {
  const shop = key('first0000000', { networks: ['203.0.113.0/24'] })
  const { server, panel } = await openKeys([shop], {
    [`PATCH ${path}/first0000000`]: () => ({ json: { ...shop, name: 'Till', version: 2 } }),
  })
  const edit = async () => {
    await userEvent.click(await panel.findByRole('button', { name: 'Actions for Shop' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    return within(await screen.findByRole('dialog', { name: 'Edit Shop' }))
  }
  const sent = () => server.calls.filter(({ method }) => method === 'PATCH').map(({ body }) => JSON.parse(body ?? ''))
  const form = await edit()
  expect(form.getByLabelText(/^Addresses/)).toHaveProperty('value', '203.0.113.0/24')
  expect(form.getByText(/^Until .*2027, as now$/)).toBeTruthy()
  await userEvent.clear(form.getByLabelText('Name'))
  await userEvent.type(form.getByLabelText('Name'), 'Till')
  await userEvent.click(form.getByRole('checkbox', { name: 'Contacts: Read' }))
  await userEvent.click(form.getByRole('button', { name: 'Save Changes' }))
  expect(await screen.findByText('Till is saved.')).toBeTruthy()
  const { numbers, networks } = shop
  expect(sent()).toEqual([{ name: 'Till', scopes: ['conversations:write'], numbers, networks, version: 1 }])
})

test('a key without an end says so, before and after it is made; only owners are offered one', async () => {
  const { server, panel } = await openKeys([key('first0000000', { expiresAt: null })], {
    [`POST ${path}`]: () => ({
      status: 201,
      json: { key: key('new000000000'), secret: `ply_new000000000_${'s'.repeat(49)}` },
    }),
  })
  expect(within(await panel.findByRole('row', { name: /Shop/ })).getAllByText('Never')).toHaveLength(2)
  await userEvent.click(panel.getByRole('button', { name: 'Create API Key' }))
  const form = within(await screen.findByRole('dialog'))
  await userEvent.type(form.getByLabelText('Name'), 'Till')
  await userEvent.click(form.getByRole('checkbox', { name: 'Contacts: Read' }))
  await userEvent.click(form.getByRole('combobox', { name: /^Valid for/ }))
  await userEvent.click(await screen.findByTitle('Until it is revoked'))
  expect(await form.findByText(/This key never expires/)).toBeTruthy()
  await userEvent.click(form.getByRole('button', { name: 'Create Key' }))
  await waitFor(() => expect(server.count(`POST ${path}`)).toBe(1))
  const made = server.calls.find((call) => call.method === 'POST' && call.path.startsWith(path))
  expect(JSON.parse(made?.body ?? '')).toMatchObject({ expiresInDays: null })
})

test('an admin is not offered a key without an end', async () => {
  const { panel } = await openKeys([], { 'GET /api/auth/user': () => userWithRole('admin') })
  await userEvent.click(await panel.findByRole('button', { name: 'Create API Key' }))
  const form = within(await screen.findByRole('dialog'))
  await userEvent.click(form.getByRole('combobox', { name: /^Valid for/ }))
  expect(await screen.findByTitle('90 days')).toBeTruthy()
  expect(screen.queryByTitle('Until it is revoked')).toBeNull()
})

test('the recent calls of a key are listed', async () => {
  const call = { at, operation: 'messages.send', status: 409, code: 'window_closed', ms: 12, requestId: 'r1' }
  const { panel } = await openKeys([key('first0000000')], {
    [`GET ${path}/first0000000/calls`]: () => ({ json: { items: [call] } }),
  })
  await userEvent.click(await panel.findByRole('button', { name: 'Actions for Shop' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Recent Calls' }))
  const row = within(await screen.findByRole('row', { name: /messages\.send/ }))
  for (const text of ['409', 'window_closed', '12 ms']) expect(row.getByText(text)).toBeTruthy()
})

test('a failed list says so and can be tried again', async () => {
  const { server, panel } = await openKeys([], { [`GET ${path}`]: unavailable })
  const retry = await panel.findByRole('button', { name: 'Retry' }, { timeout: 20_000 })
  server.answer(`GET ${path}`, () => ({ json: { items: [key('k0000000000a')] } }))
  await userEvent.click(retry)
  expect(await panel.findByText('Shop')).toBeTruthy()
})

test('an agent has no such tab, and is told whom to ask where a link leads there', async () => {
  const server = stubServer({ ...signedInServer(), 'GET /api/auth/user': () => userWithRole('agent') })
  await openApp('/settings')
  await screen.findByRole('tab', { name: 'Billing' })
  await waitFor(() => expect(screen.queryByRole('tab', { name: 'API Keys' })).toBeNull())
  await openApp('/settings?tab=keys')
  expect(await screen.findByText('You may not see API keys')).toBeTruthy()
  expect(server.count(`GET ${path}`)).toBeLessThanOrEqual(1)
})

test('every scope can be chosen, once', () => {
  const all = scopeGroups.flatMap(({ scopes }) => scopes)
  expect(new Set(all).size).toBe(all.length)
  expect(
    keyOf({ name: 'a', scopes: [], numbers: [], networks: ' 203.0.113.0/24\n2001:db8::1,\n', validFor: 30 }).networks,
  ).toEqual(['203.0.113.0/24', '2001:db8::1'])
})
