import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { pressUndo } from '../../../testing/press-undo.ts'
import { signedInServer, stubServer } from '../../../testing/stub-server.ts'
import { contactJob } from '../../../testing/workspace/contact-jobs.ts'

const job = contactJob()

test('what is selected is exported in the chosen format', async () => {
  const download = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  onTestFinished(() => download.mockRestore())
  const server = stubServer(signedInServer(), { records: 30 })
  await openApp('/contacts')
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Priya Sharma' }))
  const bar = within(await screen.findByRole('region', { name: 'Selection' }))
  await userEvent.click(bar.getByRole('button', { name: 'Export' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Export contacts' }))
  expect(dialog.getByText('1 contact, with tags and attributes.')).toBeTruthy()
  await userEvent.click(dialog.getByRole('radio', { name: /^Excel workbook/ }))
  await userEvent.click(dialog.getByRole('button', { name: 'Start export' }))
  expect(await screen.findByText('1 contact exported.')).toBeTruthy()
  expect(download.mock.contexts.map(String)).toEqual([
    expect.stringMatching(/\/api\/contact-jobs\/contact-job-1\/file$/),
  ])
  const sent = server.calls.find(({ path }) => path === '/api/contact-jobs/exports')
  expect(JSON.parse(sent?.body ?? '')).toMatchObject({ selection: { ids: ['contact-1'] }, format: 'xlsx' })
})

test('the file of an earlier export can be downloaded again', async () => {
  const file = { name: 'contacts-2026-11-22.csv', sizeBytes: 900 }
  const ready = { ...job, id: 'job-2', state: 'done', done: 12, file }
  stubServer({ ...signedInServer(), 'GET /api/contact-jobs': () => ({ json: { items: [ready] } }) }, { records: 30 })
  await openApp('/contacts')
  await screen.findByText('1–25 of 30 contacts')
  await userEvent.click(screen.getByRole('button', { name: 'Export' }))
  const link = await screen.findByRole('link', { name: 'Download contacts-2026-11-22.csv, 12 contacts' })
  expect(link.getAttribute('href')).toBe('/api/contact-jobs/job-2/file')
})

test('work under way shows how far it is, whoever began it, and can be cancelled', async () => {
  stubServer(
    {
      ...signedInServer(),
      'GET /api/contact-jobs': () => ({ json: { items: [job] } }),
      'POST /api/contact-jobs/job-1/cancel': () => {
        job.state = 'cancelled'
        return { json: job }
      },
    },
    { records: 30 },
  )
  await openApp('/contacts')
  const working = within(await screen.findByRole('list', { name: 'Under way' }))
  expect(working.getByText('2,000 of 8,000')).toBeTruthy()
  expect(working.getByRole('progressbar', { name: 'Exporting contacts' }).getAttribute('aria-valuenow')).toBe('25')
  await userEvent.click(working.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Under way' })).toBeNull())
})

test('an export that is refused says why, and the dialog stays', async () => {
  stubServer(
    {
      ...signedInServer(),
      'POST /api/contact-jobs/exports': () => ({
        status: 403,
        json: { code: 'forbidden', message: 'You may not export contacts.', requestId: 'r' },
      }),
    },
    { records: 30 },
  )
  await openApp('/contacts')
  await screen.findByText('1–25 of 30 contacts')
  await userEvent.click(screen.getByRole('button', { name: 'Export' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Start export' }))
  expect(await screen.findByText('You may not export contacts.')).toBeTruthy()
  expect(screen.getByRole('dialog', { name: 'Export contacts' })).toBeTruthy()
})

test('everything that matches is deleted in the background, and Undo brings it back', async () => {
  const server = stubServer(signedInServer(), { records: 30 })
  await openApp('/contacts')
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all contacts on this page' }))
  const bar = within(await screen.findByRole('region', { name: 'Selection' }))
  await userEvent.click(await bar.findByRole('button', { name: 'Select all 30' }))
  await userEvent.click(bar.getByRole('button', { name: 'Delete' }))
  const asked = within(await screen.findByRole('dialog', { name: 'Delete 30 contacts?' }))
  await userEvent.click(asked.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('30 contacts deleted.')).toBeTruthy()
  expect(await screen.findByText('No contacts yet')).toBeTruthy()
  const sent = server.calls.find(({ path }) => path === '/api/contact-jobs/changes')
  expect(JSON.parse(sent?.body ?? '')).toEqual({ selection: { filter: {} }, action: { kind: 'delete' } })
  await pressUndo()
  expect(await screen.findByText('1–25 of 30 contacts')).toBeTruthy()
})

test('tags of everything that matches start workflows where a member says so', async () => {
  const server = stubServer(signedInServer(), { records: 30 })
  await openApp('/contacts')
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all contacts on this page' }))
  const bar = within(await screen.findByRole('region', { name: 'Selection' }))
  await userEvent.click(await bar.findByRole('button', { name: 'Select all 30' }))
  await userEvent.click(bar.getByRole('button', { name: 'Add Tag' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Tags' }))
  await userEvent.type(dialog.getByRole('combobox'), 'spring{enter}')
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Start workflows for 30 contacts' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }))
  const sent = () => server.calls.find(({ path }) => path === '/api/contact-jobs/changes')
  await vi.waitFor(() => expect(sent()).toBeDefined())
  expect(JSON.parse(sent()?.body ?? '')).toMatchObject({ action: { kind: 'add_tags' }, startWorkflows: true })
})

test('where an erased person may still be named is listed until it is closed', async () => {
  const mentions = [
    { kind: 'segment', id: 'segment-9', name: 'Like Zubaida' },
    { kind: 'campaign', id: 'campaign-9', name: 'Draft 3' },
    { kind: 'view', id: 'view-9', name: null },
  ]
  const erased = { ...job, task: { kind: 'erase' }, state: 'done', mentions }
  stubServer({ ...signedInServer(), 'GET /api/contact-jobs': () => ({ json: { items: [erased] } }) }, { records: 30 })
  await openApp('/contacts')
  const link = await screen.findByRole('link', { name: 'the segment Like Zubaida' })
  expect(link.getAttribute('href')).toBe('/contacts?segment=segment-9')
  expect(screen.getByRole('link', { name: 'the campaign Draft 3' }).getAttribute('href')).toBe(
    '/broadcasts?id=campaign-9',
  )
  expect(screen.getByText('a view of another member')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByText('An erased person may still be named in:')).toBeNull())
})

test('an export that needs an approval is asked for with a message', async () => {
  const server = stubServer(signedInServer(), { records: 30 })
  const message = 'Exports of more than 3 contacts need the approval of a second member. Ask for it first.'
  const refusal = { code: 'approval_required', message, requestId: 'r1' }
  server.answer('POST /api/contact-jobs/exports', () => ({ status: 409, json: refusal }))
  server.answer('POST /api/approvals', ({ body }) => ({
    status: 201,
    json: {
      id: 'a'.repeat(24),
      state: 'pending',
      subject: { ...JSON.parse(body ?? '').action, contacts: 30, filter: 'All contacts' },
      askedBy: 'user-1',
      askedAt: '2026-11-24T09:00:00.000Z',
      note: '',
      expiresAt: '2026-11-27T09:00:00.000Z',
    },
  }))
  await openApp('/contacts')
  await screen.findByText('1–25 of 30 contacts')
  await userEvent.click(screen.getByRole('button', { name: 'Export' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Start export' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Ask for an approval?' }))
  expect(dialog.getByText(message)).toBeTruthy()
  await userEvent.type(dialog.getByRole('textbox', { name: /^Message/ }), 'For the fair')
  await userEvent.click(dialog.getByRole('button', { name: 'Ask for Approval' }))
  await waitFor(() => {
    const sent = server.calls.find(({ method, path }) => method === 'POST' && path === '/api/approvals')
    expect(JSON.parse(sent?.body ?? '{}')).toMatchObject({
      action: { kind: 'contact_export', selection: { filter: {} }, format: 'csv' },
      note: 'For the fair',
    })
  })
})
