import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { signedInServer, stubServer, userOf } from '../../../testing/stub-server.ts'

const entryOf = (over: object = {}) => ({
  id: 'a'.repeat(24),
  at: '2026-01-01T00:00:00.000Z',
  actor: { kind: 'member', id: userOf().id, name: 'Asha Rao' },
  action: 'members.change',
  resource: 'members',
  targets: [{ kind: 'members', id: 'm2' }],
  changes: [{ field: 'role', from: 'agent', to: 'viewer' }],
  outcome: 'done',
  requestId: 'r1',
  ip: '203.0.113.7',
  device: 'Firefox on Windows',
  seq: 7,
  hash: 'h',
  ...over,
})

async function openAudit({ role = 'owner', address = '', pages = [[entryOf()]] as object[][] } = {}) {
  const server = stubServer({
    ...signedInServer(undefined, userOf({ role })),
    'GET /api/workspace/audit-retention': () => ({ json: { days: 400, version: 0 } }),
    'GET /api/audit': ({ search }) => {
      const page = Number(new URLSearchParams(search).get('cursor') ?? 0)
      return { json: { items: pages[page] ?? [], nextCursor: page + 1 < pages.length ? String(page + 1) : null } }
    },
  })
  await openApp(`/settings?tab=audit${address}`)
  return server
}
const asked = (server: ReturnType<typeof stubServer>) =>
  server.calls.filter(({ path }) => path === '/api/audit').map(({ search }) => search)

test('an entry says who did what, from where, and what it was before', async () => {
  await openAudit()
  const [entry] = await within(await screen.findByRole('list', { name: 'Audit log' })).findAllByRole('listitem')
  for (const text of [
    'Changed the role of a member',
    'role: agent → viewer',
    'Asha Rao',
    'Firefox on Windows, 203.0.113.7',
    'No. 7',
  ])
    expect(entry?.textContent).toContain(text)
})

test('what was refused is marked, and a key is named by its id', async () => {
  await openAudit({
    pages: [[entryOf({ outcome: 'refused', actor: { kind: 'key', id: 'k9' }, ip: undefined, device: undefined })]],
  })
  await screen.findByText('Refused')
  await screen.findByText('API key k9')
})

test('earlier entries come on request, and the history of one record is asked for by its id', async () => {
  const server = await openAudit({
    address: '&target=c1',
    pages: [[entryOf()], [entryOf({ id: 'b'.repeat(24), seq: 6 })]],
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Show earlier' }))
  await screen.findByText('No. 6')
  expect(asked(server)).toEqual(['target=c1&limit=50', 'target=c1&limit=50&cursor=1'])
  screen.getByText(/History of c1/)
})

test('what one key did within some days is asked for by its entry and two dates, and so is the file', async () => {
  const server = await openAudit({ pages: [[entryOf({ actor: { kind: 'key', id: 'k1' } })]] })
  await userEvent.click(await screen.findByRole('button', { name: 'API key k1' }))
  await screen.findByRole('button', { name: 'Remove filter Person or key: API key k1' })
  fireEvent.change(screen.getByLabelText('First day'), { target: { value: '2026-03-01' } })
  fireEvent.change(screen.getByLabelText('Last day'), { target: { value: '2026-03-31' } })
  // Days of Asia/Kolkata, the last one included.
  const query = new URLSearchParams({ actor: 'k1', from: '2026-02-28T18:30:00.000Z', to: '2026-03-31T18:30:00.000Z' })
  await waitFor(() => expect(asked(server).at(-1)).toBe(`${query}&limit=50`))
  const link = screen.getByRole('link', { name: 'Export CSV' })
  expect(link.getAttribute('href')).toBe(`/api/audit/file?format=csv&${query}`)
})

test('the export has the filters of the list', async () => {
  await openAudit({ address: '&resource=members' })
  const link = await screen.findByRole('link', { name: 'Export CSV' })
  expect(link.getAttribute('href')).toBe('/api/audit/file?format=csv&resource=members')
})

test('an agent finds no tab, and is told whom to ask at its address', async () => {
  const server = await openAudit({ role: 'agent' })
  await screen.findByText('You may not see the audit log')
  expect(asked(server)).toEqual([])
})

test('how long entries are kept is told to all who read them, and set by the owner', async () => {
  const server = await openAudit()
  const card = within(await screen.findByRole('region', { name: 'How Long Entries Are Kept' }))
  expect(card.getByText(/kept for 400 days/)).toBeTruthy()
  const days = card.getByLabelText('Days, from 90 to 2,557')
  const save = () => userEvent.click(card.getByRole('button', { name: 'Save Retention' }))
  await userEvent.clear(days)
  await userEvent.type(days, '30')
  await save()
  expect(await card.findByText('Keep entries for at least 90 days.')).toBeTruthy()
  await userEvent.clear(days)
  await userEvent.type(days, '730')
  server.answer('PUT /api/workspace/audit-retention', () => ({ json: { days: 730, version: 1 } }))
  await save()
  expect(await card.findByText(/kept for 730 days/)).toBeTruthy()
  const put = server.calls.findLast(({ method }) => method === 'PUT')
  expect(JSON.parse(put?.body ?? '')).toEqual({ days: 730, version: 0 })
})

test('an admin reads how long, and does not set it', async () => {
  await openAudit({ role: 'admin' })
  const card = within(await screen.findByRole('region', { name: 'How Long Entries Are Kept' }))
  expect(card.queryByRole('button')).toBeNull()
})
