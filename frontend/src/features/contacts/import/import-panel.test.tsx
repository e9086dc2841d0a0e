import type { ImportRecord } from '@parley/contracts/contacts/imports'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../../testing/stub-server.ts'

const record: ImportRecord = {
  id: 'import-1',
  createdAt: '2026-11-22T10:00:00.000Z',
  updatedAt: '2026-11-22T10:00:00.000Z',
  version: 1,
  fileName: 'people.csv',
  sizeBytes: 100,
  format: { kind: 'csv', encoding: 'utf-8', delimiter: ';' },
  columns: [
    { header: 'Name', samples: ['Asha'], target: 'name' },
    { header: 'Call', samples: ['12'], target: 'attribute' },
  ],
  headerRow: 1,
  digits: null,
  firstRows: [
    { line: 1, text: 'Name · Call' },
    { line: 2, text: 'Asha · 12' },
  ],
  encodings: [],
  sheets: [],
  unclear: null,
  consentRefused: 0,
  purpose: 'both',
  country: 'IN',
  tags: [],
  allAgreed: false,
  evidence: '',
  state: 'checked',
  percent: 100,
  counts: { created: 3, updated: 1, skipped: 0, invalid: 0 },
  undone: null,
  removedFields: [],
  problem: null,
  startedBy: 'ann',
  keptUntil: '2026-12-22T10:00:00.000Z',
}
const changes = [{ field: 'city', before: 'Pune', after: 'Delhi' }]
const updated = { line: 2, outcome: 'updated', name: 'Asha Rao', phone: '+919876543210', changes }

test('what a file would change is shown before it is imported; a refused start says why; workflows start where that is asked', async () => {
  const server = stubServer({
    ...signedInServer(),
    'GET /api/imports/import-1': () => ({ json: record }),
    'GET /api/imports/import-1/rows': () => ({ json: { items: [updated], nextCursor: null } }),
    'POST /api/imports/import-1/run': () => ({
      status: 409,
      json: { code: 'wrong_state', message: 'The file was deleted. Choose it again.', requestId: 'r' },
    }),
  })
  await openApp('/contacts?import=import-1')
  const rows = within(await screen.findByRole('region', { name: 'Changed contacts' }))
  expect((await rows.findByRole('listitem')).textContent).toContain('city: Pune Delhi')
  expect(rows.getByRole('link', { name: 'Download as CSV' }).getAttribute('href')).toBe(
    '/api/imports/import-1/rows.csv?outcome=updated',
  )
  await userEvent.click(screen.getByRole('button', { name: 'Import 4 contacts' }))
  expect((await screen.findByRole('alert')).textContent).toBe('The file was deleted. Choose it again.')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Start workflows for 4 contacts' }))
  await userEvent.click(screen.getByRole('button', { name: 'Import 4 contacts' }))
  const asked = () => server.calls.flatMap(({ path, search }) => (path === '/api/imports/import-1/run' ? search : []))
  await vi.waitFor(() => expect(asked()).toEqual(['', 'startWorkflows=true']))
})

test('the contacts of an import are shown, and an undone one says which fields went with it', async () => {
  const done: ImportRecord = { ...record, state: 'done' }
  const server = stubServer({
    ...signedInServer(),
    'GET /api/imports/import-1': () => ({ json: done }),
    'GET /api/imports/import-1/rows': () => ({ json: { items: [], nextCursor: null } }),
  })
  await openApp('/contacts?import=import-1')
  await userEvent.click(await screen.findByRole('button', { name: 'Show contacts' }))
  expect(await screen.findByRole('button', { name: 'Remove filter Import: people.csv' })).toBeTruthy()
  await vi.waitFor(() =>
    expect(
      server.calls.some(({ path, search }) => path === '/api/contacts' && search.includes('import=import-1')),
    ).toBe(true),
  )
  Object.assign(done, { state: 'undone', undone: { removed: 4, restored: 0, kept: 0 }, removedFields: ['Shoe'] })
  await openApp('/contacts?import=import-1')
  expect(await screen.findByText(/Unused fields removed: Shoe\./)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Show all contacts' })).toBeTruthy()
})

test('rows whose consent is not recorded are counted', async () => {
  stubServer({
    ...signedInServer(),
    'GET /api/imports/import-1': () => ({ json: { ...record, consentRefused: 2 } }),
    'GET /api/imports/import-1/rows': () => ({ json: { items: [], nextCursor: null } }),
  })
  await openApp('/contacts?import=import-1')
  expect(await screen.findByText(/^2 rows without marketing consent:/)).toBeTruthy()
})

test('columns without a phone number cannot be checked; only updating needs no name', async () => {
  stubServer({ ...signedInServer(), 'GET /api/imports/import-1': () => ({ json: { ...record, state: 'draft' } }) })
  await openApp('/contacts?import=import-1')
  expect((await screen.findByRole('alert')).textContent).toBe('Choose the column for the phone number.')
  const check = screen.getByRole<HTMLButtonElement>('button', { name: 'Check the file' })
  expect(check.disabled).toBe(true)
  await userEvent.click(screen.getByRole('combobox', { name: 'Import Call as' }))
  await userEvent.click(await screen.findByTitle('Phone'))
  expect(check.disabled).toBe(false)
})

test('everybody in a file has agreed only with how and when; a consent column says it of each', async () => {
  const columns: ImportRecord['columns'] = [
    { header: 'Name', samples: ['Asha'], target: 'name' },
    { header: 'Call', samples: ['+919876543210'], target: 'phone' },
    { header: 'Said', samples: ['yes'], target: 'ignore' },
  ]
  const draft: ImportRecord = { ...record, columns, state: 'draft' }
  const server = stubServer({
    ...signedInServer(),
    'GET /api/imports/import-1': () => ({ json: draft }),
    'PATCH /api/imports/import-1': () => ({ json: draft }),
    'POST /api/imports/import-1/check': () => ({ json: draft }),
  })
  await openApp('/contacts?import=import-1')
  const agreed = { name: 'Everyone in this file has agreed' }
  await userEvent.click(await screen.findByRole('checkbox', agreed))
  expect((await screen.findByRole('alert')).textContent).toBe('Enter how and when these people agreed.')
  const check = screen.getByRole<HTMLButtonElement>('button', { name: 'Check the file' })
  expect(check.disabled).toBe(true)
  await userEvent.type(screen.getByRole('textbox', { name: 'How and when they agreed' }), 'At the fair, 3 May')
  await userEvent.click(check)
  await vi.waitFor(() => expect(server.count('POST /api/imports/import-1/check')).toBe(1))
  const sent = server.calls.find(({ method }) => method === 'PATCH')
  expect(JSON.parse(sent?.body ?? '')).toMatchObject({ allAgreed: true, evidence: 'At the fair, 3 May' })

  await userEvent.click(screen.getByRole('combobox', { name: 'Import Said as' }))
  await userEvent.click(await screen.findByTitle('Marketing consent'))
  expect(screen.queryByRole('checkbox', agreed)).toBeNull()
  expect(screen.getByRole('textbox', { name: 'Where it was given (optional)' })).toBeTruthy()
})

test('how a file is read is chosen from what stands in it, and each column says why it was chosen', async () => {
  const draft: ImportRecord = {
    ...record,
    state: 'draft',
    columns: [
      { header: 'Name', samples: ['Zoë'], target: 'name' },
      { header: 'Call', samples: ['9876543210'], target: 'phone', reason: 'Its cells are numbers: 1 of the first 1.' },
    ],
    format: { kind: 'csv', encoding: 'windows-1252', delimiter: ';' },
    headerRow: 2,
    firstRows: [{ line: 1, text: 'Our customers' }, ...record.firstRows],
    encodings: [
      { encoding: 'windows-1252', sample: 'Èâàí' },
      { encoding: 'windows-1251', sample: 'Иван' },
    ],
  }
  const server = stubServer({
    ...signedInServer(),
    'GET /api/imports/import-1': () => ({ json: draft }),
    'PATCH /api/imports/import-1': () => ({ json: draft }),
  })
  const sent = () =>
    server.calls.filter(({ method }) => method === 'PATCH').map(({ body }) => JSON.parse(body ?? '') as object)
  await openApp('/contacts?import=import-1')
  expect(await screen.findByText('Its cells are numbers: 1 of the first 1.')).toBeTruthy()
  expect(screen.getByText('Left out above them:').textContent).toContain('Our customers')
  await userEvent.click(screen.getByRole('combobox', { name: 'Character encoding' }))
  await userEvent.click(await screen.findByText('Cyrillic (Windows-1251): Иван'))
  await vi.waitFor(() => expect(sent()).toMatchObject([{ encoding: 'windows-1251' }]))
  await userEvent.click(screen.getByRole('combobox', { name: 'Column names' }))
  await userEvent.click(await screen.findByText('The file has no column names'))
  await vi.waitFor(() => expect(sent()[1]).toMatchObject({ headerRow: 0, country: 'IN' }))
  expect(sent()[1]).not.toHaveProperty('targets')
})

test('another sheet of a workbook is chosen', async () => {
  const draft: ImportRecord = { ...record, state: 'draft', format: { kind: 'xlsx' }, sheets: ['Read me', 'People'] }
  const server = stubServer({
    ...signedInServer(),
    'GET /api/imports/import-1': () => ({ json: draft }),
    'PATCH /api/imports/import-1': () => ({ json: { ...draft, format: { kind: 'xlsx', sheet: 'People' } } }),
  })
  await openApp('/contacts?import=import-1')
  await userEvent.click(await screen.findByRole('combobox', { name: 'Sheet of the workbook' }))
  await userEvent.click(await screen.findByTitle('People'))
  await vi.waitFor(() => expect(server.count('PATCH /api/imports/import-1')).toBe(1))
  const sent = server.calls.find(({ method }) => method === 'PATCH')?.body ?? '{}'
  expect(JSON.parse(sent)).toMatchObject({ sheet: 'People', country: 'IN' })
})

test('contact cards have neither sheets nor a row of column names', async () => {
  const draft: ImportRecord = { ...record, state: 'draft', format: { kind: 'vcard', encoding: 'utf-8' } }
  stubServer({ ...signedInServer(), 'GET /api/imports/import-1': () => ({ json: draft }) })
  await openApp('/contacts?import=import-1')
  expect(await screen.findByText(/contact cards \(vCard\)/)).toBeTruthy()
  for (const name of ['Sheet of the workbook', 'Column names', 'Character encoding'])
    expect(screen.queryByRole('combobox', { name })).toBeNull()
})

test('digits that may be two numbers are asked about once, and the file is checked again', async () => {
  const unclear = {
    count: 3,
    readAs: null,
    written: '6581234567',
    national: '+91 65812 34567',
    international: '+65 8123 4567',
  }
  const checked: ImportRecord = { ...record, unclear }
  const server = stubServer({
    ...signedInServer(),
    'GET /api/imports/import-1': () => ({ json: checked }),
    'GET /api/imports/import-1/rows': () => ({ json: { items: [], nextCursor: null } }),
    'PATCH /api/imports/import-1': () => ({ json: checked }),
    'POST /api/imports/import-1/check': () => ({ json: { ...checked, state: 'checking' } }),
  })
  await openApp('/contacts?import=import-1')
  const question = within(await screen.findByRole('group', { name: 'What does 6581234567 mean?' }))
  await userEvent.click(question.getByRole('radio', { name: '+65 8123 4567: with its country code' }))
  await vi.waitFor(() => expect(server.count('POST /api/imports/import-1/check')).toBe(1))
  const sent = server.calls.find(({ method }) => method === 'PATCH')
  expect(JSON.parse(sent?.body ?? '')).toEqual({ digits: 'international' })
})
