import { nobodyExcluded } from '@parley/contracts/campaigns/campaigns'
import { createSampleDataset } from '@parley/sample/sample-dataset'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { draftServer, finishedFields } from '../../../testing/draft-server.ts'
import { openApp } from '../../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer } from '../../../testing/stub-server.ts'

const next = () => userEvent.click(screen.getByRole('button', { name: 'Continue' }))
async function choose(label: string, ...names: RegExp[]): Promise<void> {
  await userEvent.click(await screen.findByRole('combobox', { name: label }))
  for (const name of names) await userEvent.click(await screen.findByTitle(name))
  await userEvent.keyboard('{Escape}')
}
const asked = (server: ReturnType<typeof stubServer>, path: string) =>
  JSON.parse(server.calls.findLast((call) => call.path === path && call.body)?.body ?? '{}')

test('a draft that leaves out a segment which is gone says so, and leads to where it is chosen', async () => {
  const server = stubServer(signedInServer())
  const exclude = { tags: ['vip'], segmentIds: ['0'.repeat(24)] }
  const { path } = draftServer(server, {
    ...finishedFields,
    audience: { kind: 'segment', segmentId: 'leads', exclude },
  })
  const message = 'It leaves out a segment that was deleted. Remove it there, or choose another one.'
  server.answer(`POST ${path}/preflight`, () => ({
    status: 400,
    json: { ...errorOf('validation_failed', 'Check it.'), fields: { 'audience.exclude.segmentIds': message } },
  }))
  await openApp('/broadcasts?draft=draft-1')
  expect(await screen.findByText(message)).toBeTruthy()
  expect(await screen.findByText('Without vip, a deleted segment')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: /^Go to / }))
  expect(await screen.findByRole('combobox', { name: 'Without these segments' })).toBeTruthy()
  expect(await screen.findByTitle('A deleted segment')).toBeTruthy()
})

test('several tags are meant any or all, and whoever is left out by tag or segment is counted, saved and told', async () => {
  const server = stubServer(signedInServer())
  const excluded = { ...nobodyExcluded, byChoice: 7 }
  server.answer('POST /api/campaigns/preview', () => ({ json: { audience: 41, excluded, reachable: 34 } }))
  await openApp('/broadcasts?new=1&template=template-2')
  await userEvent.type(await screen.findByLabelText('Campaign name'), 'Spring tea')
  await userEvent.click(screen.getByRole('radio', { name: 'Tags' }))
  await choose('Tags', /^lead/)
  expect(screen.queryByRole('radio', { name: 'All of these tags' })).toBeNull()
  await choose('Tags', /^vip/)
  await userEvent.click(await screen.findByRole('radio', { name: 'All of these tags' }))
  expect(screen.queryByRole('combobox', { name: 'Without these tags' })).toBeNull()
  await userEvent.click(screen.getByRole('switch', { name: 'Leave out by tag or segment' }))
  await next()
  expect(await screen.findByText('Choose a tag or segment, or switch this off')).toBeTruthy()
  await choose('Without these segments', /^Active$/)
  await waitFor(() => expect(screen.queryByText('Choose a tag or segment, or switch this off')).toBeNull())
  const audience = {
    kind: 'tags',
    tags: ['lead', 'vip'],
    match: 'all',
    exclude: { tags: [], segmentIds: ['active'] },
  }
  await waitFor(() => expect(asked(server, '/api/campaigns/preview').audience).toEqual(audience))
  const reach = within(screen.getByRole('region', { name: 'Reach' }))
  const leftOut = await reach.findByText('Left out: by tag or segment')
  expect(leftOut.nextSibling?.textContent).toBe('7')
  await next()
  expect(await screen.findByLabelText('Fallback for {{first_name}}')).toBeTruthy()
  await next()
  expect(await screen.findByText('Send from')).toBeTruthy()
  await next()
  expect(await screen.findByText('Tagged with all of lead, vip')).toBeTruthy()
  expect(screen.getByText('Without Active')).toBeTruthy()
  const numbers = within(await screen.findByRole('region', { name: 'Numbers' }))
  expect(numbers.getByText('Left out: by tag or segment')).toBeTruthy()
  expect(numbers.queryByText(/US numbers/)).toBeNull()
  await waitFor(() => {
    const saved = server.calls.findLast(({ path, body }) => body && /^\/api\/campaigns(\/draft-\d+)?$/.test(path))
    expect(JSON.parse(saved?.body ?? '{}').audience).toEqual(audience)
  })
})

test('a campaign goes to the people of an import that has ended and is still known', async () => {
  const server = stubServer(signedInServer())
  const at = new Date(Date.now() + 86_400_000).toISOString()
  const known = {
    id: 'import-1',
    fileName: 'contacts.csv',
    createdAt: '2026-03-03T10:00:00.000Z',
    updatedAt: at,
    version: 1,
    sizeBytes: 9,
    format: { kind: 'xlsx' },
    columns: [],
    headerRow: 1,
    purpose: 'both',
    country: 'IN',
    digits: null,
    firstRows: [],
    encodings: [],
    sheets: [],
    unclear: null,
    consentRefused: 0,
    tags: [],
    allAgreed: false,
    evidence: '',
    state: 'done',
    percent: 100,
    undone: null,
    problem: null,
    counts: { created: 12, updated: 3, skipped: 1, invalid: 0 },
    startedBy: 'user-1',
    keptUntil: at,
  }
  const none = { created: 0, updated: 0, skipped: 9, invalid: 0 }
  const others = [
    { id: 'import-2', fileName: 'undone.csv', undone: { removed: 12, restored: 3, kept: 0 }, state: 'undone' },
    { id: 'import-3', fileName: 'running.csv', state: 'running' },
    { id: 'import-4', fileName: 'old.csv', keptUntil: null },
    { id: 'import-5', fileName: 'nobody.csv', counts: none },
  ].map((over) => ({ ...known, ...over }))
  server.answer('GET /api/imports', () => ({
    json: { items: [known, ...others], nextCursor: null, previousCursor: null, total: 5 },
  }))
  server.answer('POST /api/campaigns/preview', () => ({
    json: { audience: 15, excluded: nobodyExcluded, reachable: 15 },
  }))
  await openApp('/broadcasts?new=1&template=template-2')
  await userEvent.type(await screen.findByLabelText('Campaign name'), 'Welcome')
  await userEvent.click(await screen.findByRole('radio', { name: 'People of an import' }))
  await next()
  expect(await screen.findByText('Choose an import', { selector: 'p' })).toBeTruthy()
  await userEvent.click(screen.getByRole('combobox', { name: 'Import' }))
  const choice = await screen.findByTitle('contacts.csv · Mar 3 · 15 contacts')
  expect(screen.queryByTitle(/^(undone|running|old|nobody)\.csv/)).toBeNull()
  await userEvent.click(choice)
  await waitFor(() =>
    expect(asked(server, '/api/campaigns/preview').audience).toEqual({ kind: 'import', importId: 'import-1' }),
  )
})

test('the details of a campaign tell whom it goes without, and open whom that has left out', async () => {
  const server = stubServer(signedInServer())
  const sale = createSampleDataset({ now: new Date() }).campaigns.get('campaign-1')
  const audienceName = 'Segment Leads, without VIP'
  const excluded = { ...sale?.counts.excluded, byChoice: 9, countryRestricted: 2 }
  const shown = { ...sale, audienceName, counts: { ...sale?.counts, excluded } }
  server.answer('GET /api/campaigns/campaign-1', () => ({ json: shown }))
  server.answer('GET /api/campaigns/campaign-1/recipients', () => ({
    json: { items: [], nextCursor: null, previousCursor: null, total: 9, failures: [] },
  }))
  await openApp('/broadcasts?id=campaign-1')
  const details = within(await screen.findByRole('dialog', { name: 'Summer sale' }))
  expect(await details.findByText(audienceName)).toBeTruthy()
  expect(details.getByRole('button', { name: '2 US numbers, which get no marketing' })).toBeTruthy()
  await userEvent.click(details.getByRole('button', { name: '9 by tag or segment' }))
  expect(await screen.findByText('Left out: by tag or segment')).toBeTruthy()
})
