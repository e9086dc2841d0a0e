import { createSampleDataset } from '@parley/sample/sample-dataset'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { draftId, draftServer, finishedFields } from '../../../testing/draft-server.ts'
import { openApp } from '../../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer } from '../../../testing/stub-server.ts'

const year = new Date().getFullYear() + 1
const hours = { limited: false, zone: 'Europe/Berlin', opens: '09:00', closes: '21:00', version: 1 }

test('a start is by the clock of the workspace, said in words, also by one’s own where that is another', async () => {
  const server = stubServer(signedInServer())
  server.answer('GET /api/workspace/sending-hours', () => ({ json: hours }))
  const draft = draftServer(server, finishedFields)
  await openApp(`/broadcasts?draft=${draftId}&step=schedule`)
  await userEvent.click(await screen.findByRole('radio', { name: 'At a date and time' }))
  fireEvent.change(await screen.findByLabelText('Date'), { target: { value: `${year}-07-14` } })
  fireEvent.change(screen.getByLabelText('Time'), { target: { value: '10:30' } })
  expect(await screen.findByText(/^Time zone of the workspace: Central European Summer Time \(UTC\+2\)/)).toBeTruthy()
  expect(screen.getByText(new RegExp(`^It starts on .*Jul 14, ${year}, 10:30\\sAM`))).toBeTruthy()
  expect(screen.getByText(new RegExp(`^For you that is .*Jul 14, ${year}, 2:00\\sPM`))).toBeTruthy()
  await waitFor(() => expect(draft.stored()).toMatchObject({ schedule: { date: `${year}-07-14`, time: '10:30' } }))
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByText(new RegExp(`Jul 14, ${year}, 10:30\\sAM`))).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Schedule campaign' })).toBeTruthy()
})

test('whether those whom WhatsApp holds back get it once more is chosen where marketing is sent', async () => {
  const server = stubServer(signedInServer())
  const draft = draftServer(server, finishedFields)
  await openApp(`/broadcasts?draft=${draftId}&step=schedule`)
  await userEvent.click(await screen.findByRole('switch', { name: /^After 24 hours, retry contacts/ }))
  await waitFor(() => expect(draft.stored()).toMatchObject({ retryHeldBack: true }))
})

async function openScheduled(over: object = {}) {
  const server = stubServer(signedInServer())
  server.answer('GET /api/workspace/sending-hours', () => ({ json: hours }))
  const sampleDataset = createSampleDataset({ now: new Date() }).campaigns.get('campaign-2')
  const campaign = { ...sampleDataset, schedule: { date: `${year}-07-14`, time: '10:30' }, ...over }
  server.answer('GET /api/campaigns/campaign-2', () => ({ json: campaign }))
  await openApp('/broadcasts?id=campaign-2')
  return { server, campaign, details: within(await screen.findByRole('dialog', { name: 'Weekend offer' })) }
}
const path = 'POST /api/campaigns/campaign-2/status'

test('a scheduled campaign gets another time, by the clock of the workspace; one that has passed is refused', async () => {
  const { server, campaign, details } = await openScheduled()
  await userEvent.click(await details.findByRole('button', { name: 'Reschedule' }))
  const date = await screen.findByLabelText('Date')
  expect(date).toHaveProperty('value', `${year}-07-14`)
  fireEvent.change(date, { target: { value: '2020-01-01' } })
  const submit = () => userEvent.click(screen.getAllByRole('button', { name: 'Reschedule' }).at(-1) ?? document.body)
  await submit()
  expect(await screen.findByText('That time has passed: choose a later one')).toBeTruthy()
  expect(server.count(path)).toBe(0)
  fireEvent.change(date, { target: { value: `${year}-07-20` } })
  expect(await screen.findByText(new RegExp(`^It starts on .*Jul 20, ${year}, 10:30\\sAM`))).toBeTruthy()
  server.answer(path, () => ({ status: 400, json: errorOf('schedule_past', 'That time has passed.') }))
  await submit()
  expect(await screen.findByText('That time has passed: choose a later one')).toBeTruthy()
  server.answer(path, () => ({ json: { ...campaign, version: 2, scheduledFor: `${year}-07-20T08:30:00.000Z` } }))
  await submit()
  expect(await screen.findByText(new RegExp(`^Weekend offer starts on .*Jul 20, ${year}, 10:30\\sAM`))).toBeTruthy()
  const { body } = server.calls.findLast(({ method, path }) => method === 'POST' && path.endsWith('/status')) ?? {}
  expect(JSON.parse(body ?? '')).toEqual({ action: 'reschedule', schedule: { date: `${year}-07-20`, time: '10:30' } })
})

const actions = (server: ReturnType<typeof stubServer>) =>
  server.calls
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/status'))
    .map(({ body }) => JSON.parse(body ?? ''))

test('one that was paused before it began says why, and is started or rescheduled, not resumed', async () => {
  const { server, campaign, details } = await openScheduled({ status: 'paused', pausedFor: 'missed_start' })
  expect(await details.findByText(/^Paused because its start was missed/)).toBeTruthy()
  expect(details.getByRole('button', { name: 'Reschedule' })).toBeTruthy()
  expect(details.queryByRole('button', { name: 'Resume' })).toBeNull()
  server.answer(path, () => ({ json: { ...campaign, version: 2, status: 'active', pausedFor: undefined } }))
  await userEvent.click(details.getByRole('button', { name: 'Start now' }))
  expect(await details.findByText('Active')).toBeTruthy()
  expect(actions(server)).toEqual([{ action: 'start_now' }])
})

test('one whose audience has grown since its review waits for somebody, who sees by how many and who they are', async () => {
  const { server, campaign, details } = await openScheduled({
    status: 'paused',
    pausedFor: 'more_recipients',
    startedAt: new Date().toISOString(),
    pauseDetail: 'It has 60 recipients; in its review there were 48.',
    sinceReview: { audience: 15, recipients: 12 },
  })
  expect(await details.findByText(/^Paused because significantly more contacts would get it/)).toBeTruthy()
  expect(details.getByText('It has 60 recipients; in its review there were 48.')).toBeTruthy()
  expect(details.getByText('12 more recipients than in the review.')).toBeTruthy()
  // Its rows are written down: it has begun, though nothing was sent.
  expect(details.queryByRole('button', { name: 'Reschedule' })).toBeNull()
  server.answer(path, () => ({ json: { ...campaign, version: 2, status: 'active', pausedFor: undefined } }))
  await userEvent.click(details.getByRole('button', { name: 'Resume' }))
  await waitFor(() => expect(actions(server)).toEqual([{ action: 'resume' }]))
  const rows = { items: [], nextCursor: null, previousCursor: null, failures: [], total: 0 }
  server.answer('GET /api/campaigns/campaign-2/recipients', () => ({ json: rows }))
  await openScheduled({ status: 'paused', pausedFor: 'more_recipients' })
  await userEvent.click(await screen.findByRole('button', { name: 'See who they are' }))
  expect(await screen.findByRole('combobox', { name: 'Show' })).toBeTruthy()
  expect(window.location.search).toContain('recipients=queued')
})
