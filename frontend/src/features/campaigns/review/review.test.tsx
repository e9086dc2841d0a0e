import type { Role } from '@parley/contracts/account/permissions'
import type { CampaignReview } from '@parley/contracts/campaigns/campaign-drafts'
import type { DraftFields } from '@parley/contracts/campaigns/campaign-fields'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { draftId, draftServer, finishedFields } from '../../../testing/draft-server.ts'
import { openApp } from '../../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer, userWithRole } from '../../../testing/stub-server.ts'
import { reviewOf } from '../../../testing/workspace/campaigns.ts'

const button = (name = 'Send now') => screen.findByRole('button', { name })
const region = async (name: string) => within(await screen.findByRole('region', { name }))
const rowsOf = (name: string) =>
  [...screen.getByRole('region', { name }).querySelectorAll('dl > div')].map(({ textContent }) => textContent)

async function openReview(answer: () => CampaignReview, fields: DraftFields = finishedFields, role: Role = 'owner') {
  const server = stubServer({ ...signedInServer(), 'GET /api/auth/user': () => userWithRole(role) })
  const draft = draftServer(server, fields)
  draft.review(answer)
  await openApp(`/broadcasts?draft=${draftId}&step=review`)
  return { server, draft }
}

test('a review goes through the audience while somebody watches, or leaves and comes back, and then says what it comes to', async () => {
  const counting = reviewOf({ state: 'counting', cost: null, counts: { ...reviewOf().counts, audience: 12 } }, 10)
  const { server, draft } = await openReview(() => counting)
  let current = { ...counting, counts: { ...counting.counts, audience: 12, recipients: 10 } }
  server.answer(`GET ${draft.path}/preflight`, () => ({ json: current }))
  const panel = await region('Who gets it')
  expect(await panel.findByText('of 12 contacts get the message so far')).toBeTruthy()
  expect(panel.getByRole('progressbar', { name: 'Progress of the review' })).toBeTruthy()
  expect(await button()).toHaveProperty('disabled', true)
  current = { ...current, counts: { ...current.counts, audience: 30, recipients: 25 } }
  expect(await panel.findByText('of 30 contacts get the message so far')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Edit schedule' }))
  await screen.findByText('Send from')
  const excluded = { ...current.counts.excluded, optedOut: 3 }
  const lines = [{ country: 'IN', count: 38, priceMicros: 882_500 }]
  current = {
    ...reviewOf({ fallbacks: [{ key: 'first_name', count: 7 }], templateVersion: 3 }),
    counts: { audience: 41, excluded, recipients: 38 },
    cost: { card: { effectiveFrom: '2026-11-01', currency: 'INR' }, lines },
    delivery: {
      finishAt: '2026-11-27T06:30:00.000Z',
      days: [
        { date: '2026-11-25', count: 20, limitedBy: 'portfolio' },
        { date: '2026-11-26', count: 10, limitedBy: 'hours' },
        { date: '2026-11-27', count: 8, limitedBy: 'number' },
      ],
      beyond: 0,
    },
  }
  draft.review(() => current)
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByText('Ready to send')).toBeTruthy()
  expect(screen.getByText(/^\w+, version 3$/)).toBeTruthy()
  expect(rowsOf('Numbers').slice(0, 8)).toEqual([
    'Audience41',
    'Left out: opted out of marketing−3',
    'Left out: have not agreed to marketing0',
    'Left out: got marketing recently0',
    'Left out: blocked0',
    'Left out: cannot be reached0',
    'Get the message38',
    'Cost38 credits',
  ])
  expect(screen.getByText('WhatsApp charges at most ₹33.54')).toBeTruthy()
  expect(rowsOf('Fallbacks')).toEqual(['{{first_name}} is “there”7'])
  const delivery = await region('Delivery')
  expect(delivery.getByText(/^The last message will be sent on Fri, Nov 27, 2026, 12:00\sPM/)).toBeTruthy()
  expect(rowsOf('Delivery')).toEqual([
    'Wed, Nov 25WhatsApp’s limit for 24 hours20',
    'Thu, Nov 26within sending hours10',
    'Fri, Nov 27as fast as the number sends8',
  ])
  expect(delivery.getByText('Sending hours are those of each recipient’s time zone.')).toBeTruthy()
  expect(await button()).toHaveProperty('disabled', false)
})

test('what does not leave within 30 days is said; many days are folded away', async () => {
  const days = Array.from({ length: 30 }, (_, index) => ({
    date: `2026-11-${String(index + 1).padStart(2, '0')}`,
    count: 250,
    limitedBy: 'portfolio' as const,
  }))
  await openReview(() => reviewOf({ delivery: { finishAt: null, days, beyond: 1200 } }))
  const delivery = await region('Delivery')
  expect(delivery.getByText('It does not finish within 30 days')).toBeTruthy()
  expect(delivery.getByText('26 more days').closest('details')?.open).toBe(false)
  expect(delivery.getByText(/1,200 messages will not be sent within 30 days/)).toBeTruthy()
})

test('a problem keeps it from being sent and leads to where it is mended', async () => {
  const problems: CampaignReview['problems'] = [
    { code: 'number_stopped', message: 'Nothing can leave from Chai Orders.' },
    { code: 'quota_exceeded', message: 'This campaign needs 41 credits, and 12 are left.' },
  ]
  await openReview(() => reviewOf({ problems }))
  expect(await screen.findByText('Cannot be sent like this')).toBeTruthy()
  const list = within(screen.getByRole('list', { name: 'What to fix before sending' }))
  expect(list.getByText('Nothing can leave from Chai Orders.')).toBeTruthy()
  expect(list.getByRole('link', { name: 'Open WhatsApp Numbers' }).getAttribute('href')).toBe('/whatsapp-numbers')
  expect(list.getByRole('link', { name: 'See what is used' }).getAttribute('href')).toBe('/settings?tab=billing')
  expect(await button()).toHaveProperty('disabled', true)
  await userEvent.click(list.getByRole('button', { name: 'Choose another number' }))
  expect(await screen.findByText('Send from')).toBeTruthy()
})

test('a template that is not approved any more keeps the review from beginning, and leads to another one', async () => {
  const { server, draft } = await openReview(() => reviewOf())
  server.answer(`POST ${draft.path}/preflight`, () => ({
    status: 409,
    json: errorOf('template_not_approved', 'WhatsApp no longer approves weekend_offer.'),
  }))
  await openApp(`/broadcasts?draft=${draftId}&step=review`)
  expect(await screen.findByText('WhatsApp no longer approves weekend_offer.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Choose another template' }))
  expect(await screen.findByRole('combobox', { name: 'Template' })).toBeTruthy()
})

test('what the server misses in a draft is said, with the step where it stands', async () => {
  const { server, draft } = await openReview(() => reviewOf())
  const fields = { templateId: 'This template was deleted. Choose another one.' }
  const json = { ...errorOf('validation_failed', 'Some of the input is not valid.'), fields }
  server.answer(`POST ${draft.path}/preflight`, () => ({ status: 400, json }))
  await openApp(`/broadcasts?draft=${draftId}&step=review`)
  expect(await screen.findByText(fields.templateId)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Go to Template' }))
  expect(await screen.findByRole('combobox', { name: 'Template' })).toBeTruthy()
})

test('each warning is ticked before it is sent, and what was ticked goes along', async () => {
  const warnings: CampaignReview['warnings'] = [
    { code: 'number_quality_low', message: 'WhatsApp rates the quality of this number as low.' },
    { code: 'takes_days', message: 'It takes 3 days until everybody has it.' },
  ]
  const { server, draft } = await openReview(() => reviewOf({ warnings }))
  server.answer(`POST ${draft.path}/launch`, () => ({ json: draft.launch('campaign-5') }))
  expect(await screen.findByText('2 things to confirm first')).toBeTruthy()
  const list = within(screen.getByRole('list', { name: 'To confirm before it is sent' }))
  const [first, second] = list.getAllByRole('checkbox')
  await userEvent.click(first ?? document.body)
  await userEvent.click(await button())
  expect(await list.findAllByText('Tick this to send it.')).toHaveLength(1)
  expect(document.activeElement).toBe(second)
  expect(server.count(`POST ${draft.path}/launch`)).toBe(0)
  await userEvent.click(second ?? document.body)
  expect(screen.getByText('Ready to send')).toBeTruthy()
  await userEvent.dblClick(await button())
  expect(await screen.findByText(/^Spring tea is started: 41 messages queued/)).toBeTruthy()
  const launches = server.calls.filter(({ path }) => path === `${draft.path}/launch`)
  expect(launches.map(({ body }) => JSON.parse(body ?? ''))).toEqual([
    { preflightId: 'review-1', accepted: ['number_quality_low', 'takes_days'] },
  ])
  // Its details open, with Pause in reach.
  expect(await screen.findByRole('button', { name: 'Pause' })).toBeTruthy()
  expect(window.location.search).toBe(`?id=${draftId}`)
})

test('a review that does not hold at the launch is made again, and says what has changed before it is sent', async () => {
  let current = reviewOf()
  const { server, draft } = await openReview(() => current)
  server.answer(`POST ${draft.path}/launch`, () => {
    const counts = {
      ...current.counts,
      audience: 44,
      recipients: 39,
      excluded: { ...current.counts.excluded, blocked: 5 },
    }
    current = reviewOf({ id: 'review-2', counts })
    return { status: 409, json: errorOf('preflight_stale', 'Something has changed since this review.') }
  })
  await screen.findByText('Ready to send')
  await userEvent.click(await button())
  expect(await screen.findByText('The review has been updated')).toBeTruthy()
  const panel = screen.getByRole('region', { name: 'Who gets it' })
  expect([...panel.querySelectorAll('dl > div')].map(({ textContent }) => textContent)).toEqual([
    'Audience41 → now 44',
    'Left out: blocked0 → now 5',
    'Get the message41 → now 39',
  ])
  server.answer(`POST ${draft.path}/launch`, () => ({ json: draft.launch('campaign-5') }))
  await userEvent.click(await button())
  expect(await screen.findByText(/^Spring tea is started: 39 messages/)).toBeTruthy()
  const { body } = server.calls.findLast(({ path }) => path === `${draft.path}/launch`) ?? {}
  expect(JSON.parse(body ?? '')).toEqual({ preflightId: 'review-2', accepted: [] })
})

test('a review whose time is over is made again by itself', async () => {
  const over = () => new Date(Date.now() - 1000).toISOString()
  let id = 1
  const { server, draft } = await openReview(() =>
    reviewOf({ id: `review-${id++}`, ...(id === 2 && { validUntil: over() }) }),
  )
  await screen.findByText('Ready to send')
  // Not at once: the clocks of page and server may differ.
  await waitFor(() => expect(server.count(`POST ${draft.path}/preflight`)).toBe(2))
  expect(await screen.findByText('Its numbers are the same as before.')).toBeTruthy()
})

test('whoever may write and not send reads who can, and the draft stays', async () => {
  const { server, draft } = await openReview(() => reviewOf())
  server.answer(`POST ${draft.path}/launch`, () => ({
    status: 403,
    json: errorOf('forbidden', 'You may not send campaigns.'),
  }))
  await screen.findByText('Ready to send')
  await userEvent.click(await button())
  expect(await screen.findByText(/^Ask an owner or admin to launch it: your role cannot start campaigns/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Send now' })).toBeNull()
  expect(draft.stored()).toMatchObject({ status: 'draft' })
})

test('an agent writes and reviews a draft, and is told whom to ask in place of the button', async () => {
  const { server } = await openReview(() => reviewOf(), finishedFields, 'agent')
  expect(await screen.findByText('Ready to send')).toBeTruthy()
  expect(await screen.findByText(/^Ask an owner or admin to launch it/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Send now' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Edit audience' }))
  expect(await screen.findByRole('button', { name: 'Continue' })).toHaveProperty('disabled', false)
  // Imports are not for agents.
  expect(screen.queryByText('People of an import')).toBeNull()
  expect(server.calls.some(({ path }) => path.endsWith('/launch'))).toBe(false)
})

test('a draft that a colleague launches during the review is said to be launched', async () => {
  const { server, draft } = await openReview(() => reviewOf())
  server.answer(`POST ${draft.path}/launch`, () => ({ status: 409, json: errorOf('wrong_state', 'It was launched.') }))
  await screen.findByText('Ready to send')
  draft.launch()
  await userEvent.click(await button())
  expect(await screen.findByText('Spring tea is no longer a draft')).toBeTruthy()
})

test('a test goes to chosen contacts from the number of the campaign, in the words of one recipient', async () => {
  const { server } = await openReview(() => reviewOf())
  const sent: unknown[] = []
  const { windowExpiresAt: _, ...conversation } = await (await fetch('/api/conversations/conversation-1')).json()
  const opened: unknown[] = []
  server.answer('POST /api/conversations', ({ body }) => {
    opened.push(JSON.parse(body ?? ''))
    return { json: conversation }
  })
  await userEvent.click(await button('Send a test'))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Send' }))
  expect(await dialog.findByText('Choose a contact.')).toBeTruthy()
  await userEvent.type(dialog.getByRole('combobox', { name: 'To' }), 'priya')
  await userEvent.click(await screen.findByTitle(/^Priya Sharma/))
  server.answer('POST /api/conversations/conversation-1/templates', ({ body }) => {
    sent.push(JSON.parse(body ?? ''))
    return undefined
  })
  await userEvent.click(dialog.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(opened).toEqual([{ contactId: 'contact-1', numberId: finishedFields.numberId }])
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ templateId: finishedFields.templateId })
})
