import type { Explanation } from '@parley/contracts/campaigns/campaign-results'
import type { CampaignTimelineItem } from '@parley/contracts/campaigns/campaign-timeline'
import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import { createSampleDataset } from '@parley/sample/sample-dataset'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import {
  errorOf,
  eventOf,
  signedInServer,
  stubEvents,
  stubServer,
  userOf,
  userWithRole,
} from '../../../testing/stub-server.ts'

const path = '/api/campaigns/campaign-1'
const campaign = () => createSampleDataset({ now: new Date() }).campaigns.get('campaign-1') as Campaign
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

/** The details of a campaign that has come to these figures. */
async function open(over: Partial<Campaign>, query = '') {
  const server = stubServer(signedInServer())
  server.answer(`GET ${path}`, () => ({ json: { ...campaign(), ...over } }))
  await openApp(`/broadcasts?id=campaign-1${query}`)
  return { server, details: within(await screen.findByRole('dialog', { name: 'Summer sale' })) }
}
const countsWith = (counts: Partial<Campaign['counts']>) => ({ ...campaign().counts, ...counts })
const asked = (server: ReturnType<typeof stubServer>, to: string) =>
  server.calls.filter((call) => call.path === `${path}/${to}`).map(({ body }) => JSON.parse(body ?? 'null'))

test('somebody who is in no row is found by name, and it is said plainly why they are not in the campaign', async () => {
  const { server, details } = await open({}, '&recipients=failed')
  const page = { nextCursor: null, previousCursor: null, failures: [], total: 0, items: [] }
  server.answer(`GET ${path}/recipients`, () => ({ json: page }))
  const [contact, other] = [...createSampleDataset({ now: new Date() }).contacts.values()]
  const people = { items: [contact, other], total: 2, nextCursor: null, previousCursor: null }
  server.answer('GET /api/contacts', () => ({ json: people }))
  const row = { id: 'row-1', contactId: other?.id ?? '', name: other?.name ?? '', known: true, state: 'delivered' }
  const answers: Record<string, Explanation> = {
    [contact?.id ?? '']: {
      kind: 'no_row',
      why: 'not_in_audience',
      writtenAt: hoursAgo(5),
      addedAt: hoursAgo(50),
      conditions: {
        text: '',
        holds: false,
        match: 'all',
        conditions: [
          { text: 'Tag is vip', holds: false },
          { text: 'City is Pune', holds: true },
        ],
      },
    },
    [other?.id ?? '']: { kind: 'row', recipient: { ...row, state: 'delivered', times: {} } },
  }
  server.answer(`POST ${path}/explain`, ({ body }) => ({ json: answers[JSON.parse(body ?? '').contactId] }))
  expect(details.queryByText('Not in this list')).toBeNull()
  await userEvent.type(await details.findByRole('searchbox', { name: 'Find a person' }), 'a')
  const found = within(await details.findByRole('region', { name: 'Not in this list' }))
  expect(await found.findByText('The contact is not in the audience of this campaign.')).toBeTruthy()
  expect(found.getByText('Not in the campaign')).toBeTruthy()
  expect(found.getByText('All of these:')).toBeTruthy()
  const answered = (text: string) => within(found.getByText(text).closest('li') as HTMLElement)
  expect(answered('Tag is vip').getByLabelText('No:')).toBeTruthy()
  expect(answered('City is Pune').getByLabelText('Yes:')).toBeTruthy()
  // A recipient of the campaign who is not among the failed ones.
  expect(await found.findByText('Delivered')).toBeTruthy()
})

test.each([
  ['added_later', /^The contact was added on .*, after the recipient list was created on .*\.$/],
  ['matches_now', /^The contact is in the audience now, but was not when the recipient list was created on/],
  ['not_begun', /^The campaign has not started\. The contact is in its audience now/],
] as const)('why somebody is not in it: %s', async (why, words) => {
  const { server, details } = await open({}, '&recipients=all')
  const page = { nextCursor: null, previousCursor: null, failures: [], total: 0, items: [] }
  server.answer(`GET ${path}/recipients`, () => ({ json: page }))
  const conditions = { text: 'Is one of the contacts that were chosen', holds: true }
  const answer = { kind: 'no_row', why, writtenAt: hoursAgo(5), addedAt: hoursAgo(2), conditions }
  server.answer(`POST ${path}/explain`, () => ({ json: answer }))
  await userEvent.type(await details.findByRole('searchbox', { name: 'Find a person' }), 'a')
  expect((await details.findAllByText(words)).length).toBeGreaterThan(0)
})

test('for which reasons those that failed get it again is chosen with how many of each; those held back wait a day', async () => {
  const { server, details } = await open({ completedAt: hoursAgo(2), counts: countsWith({ failed: 20 }) })
  const failures = [
    { code: 131026, class: 'bad_contact', title: 'Not delivered', count: 9 },
    { code: 131049, class: 'wait_24h', title: 'Held back', count: 6 },
    { code: 132012, class: 'bad_value', title: 'A value', count: 3 },
  ]
  const page = { items: [], nextCursor: null, previousCursor: null, total: 20, failures }
  server.answer(`GET ${path}/recipients`, () => ({ json: page }))
  await userEvent.click(await details.findByRole('button', { name: 'Send again to…' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Failed (20)' }))
  const box = (name: RegExp) => screen.findByRole('checkbox', { name, hidden: true })
  const held = await box(/^Held back by WhatsApp: they get much marketing \(6\)$/)
  expect(held).toHaveProperty('disabled', true)
  expect(screen.getByText(/^WhatsApp requires a day in between\. Available from .*\.$/)).toBeTruthy()
  expect(await box(/^Could not be reached on WhatsApp \(9\)$/)).toHaveProperty('checked', false)
  expect(await box(/^Their values did not fit the template \(3\)$/)).toHaveProperty('checked', true)
  // Two failures came without a reason.
  await userEvent.click(await box(/^WhatsApp refused it for another reason \(2\)$/))
  await userEvent.click(await box(/^Could not be reached on WhatsApp/))
  await userEvent.click(screen.getByRole('button', { name: 'Create draft for 12', hidden: true }))
  expect(await screen.findByLabelText('Campaign name')).toHaveProperty('value', 'Summer sale again')
  expect(asked(server, 'retry')).toEqual([{ scope: 'failed', classes: ['bad_value', 'bad_contact'] }])
  expect(screen.getByText('For the chosen reasons only.')).toBeTruthy()
})

test('those not confirmed get it again after it was said what that may mean; too early, nothing is begun', async () => {
  const { server, details } = await open({ completedAt: hoursAgo(2), counts: countsWith({ uncertain: 12 }) })
  const until = 'WhatsApp may still say whether these messages have arrived. Send again from 2:05 PM on.'
  server.answer(`POST ${path}/retry`, () => ({ status: 409, json: errorOf('too_early', until) }))
  await userEvent.click(await details.findByRole('button', { name: 'Send again to 12 not confirmed' }))
  expect(await screen.findByText(/may get the same message twice/)).toBeTruthy()
  expect(asked(server, 'retry')).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Create draft', hidden: true }))
  expect(await screen.findByText(until)).toBeTruthy()
  expect(asked(server, 'retry')).toEqual([{ scope: 'not_confirmed' }])
  expect(window.location.search).not.toContain('draft')
})

test('one that runs, and one that one may only look at, is not sent again to those not confirmed', async () => {
  const counts = countsWith({ uncertain: 12 })
  const { details } = await open({ status: 'active', counts })
  expect(await details.findByText(/^Not confirmed: 12\./)).toBeTruthy()
  expect(details.queryByRole('button', { name: /^Send again to 12/ })).toBeNull()
  const viewer = { ...signedInServer(), 'GET /api/auth/user': () => userWithRole('viewer') }
  stubServer({ ...viewer, [`GET ${path}`]: () => ({ json: { ...campaign(), counts } }) })
  await openApp('/broadcasts?id=campaign-1')
  const ended = within(await screen.findByRole('dialog', { name: 'Summer sale' }))
  await waitFor(() => expect(ended.queryByRole('button', { name: /^Send again to 12/ })).toBeNull())
})

test('once the list of recipients is not kept any more its numbers stay, and nothing leads to rows', async () => {
  const recipientsRemoved = { at: '2027-12-31T12:00:00.000Z', months: 13 }
  const counts = countsWith({ failed: 20, uncertain: 12 })
  const { server, details } = await open({ completedAt: hoursAgo(2), counts, recipientsRemoved })
  expect(await details.findByText('Nothing more will be sent.')).toBeTruthy()
  expect(details.getByText(/^Not confirmed: 12\./)).toBeTruthy()
  const progress = within(details.getByRole('region', { name: 'Progress' }))
  expect(progress.queryAllByRole('button')).toEqual([])
  expect(details.queryByRole('button', { name: 'Send again to…' })).toBeNull()
  await userEvent.click(details.getByRole('tab', { name: 'Recipients' }))
  const list = within(await details.findByRole('region', { name: 'Recipients' }))
  const words = /^The list of recipients was kept for 13 months, and was removed on Dec 31, 2027\. The numbers stay\.$/
  expect(list.getByText(words)).toBeTruthy()
  expect(list.queryByRole('searchbox')).toBeNull()
  expect(server.calls.some(({ path: asked }) => asked.endsWith('/recipients'))).toBe(false)
})

test('a list that is removed while somebody looks at the campaign says so', async () => {
  const removed = { at: '2027-12-31T12:00:00.000Z', months: 1 }
  const page = { items: [], nextCursor: null, previousCursor: null, failures: [], total: 0, removed }
  const server = stubServer(signedInServer())
  server.answer(`GET ${path}`, () => ({ json: campaign() }))
  server.answer(`GET ${path}/recipients`, () => ({ json: page }))
  await openApp('/broadcasts?id=campaign-1&recipients=all')
  expect(await screen.findByText(/^The list of recipients was kept for 1 month, and was removed/)).toBeTruthy()
})

test('each that is not confirmed says what is known of others at that time', async () => {
  const row = (n: number, beside?: 'answered' | 'nothing') => ({
    id: `r-${n}`,
    contactId: `c-${n}`,
    name: `Asha ${n}`,
    known: true,
    state: 'uncertain',
    times: {},
    reason: 'WhatsApp has not confirmed whether it was sent.',
    ...(beside && { beside }),
  })
  const items = [row(1, 'answered'), row(2, 'nothing'), row(3)]
  const page = { items, nextCursor: null, previousCursor: null, failures: [], total: 3 }
  const server = stubServer(signedInServer())
  server.answer(`GET ${path}`, () => ({ json: { ...campaign(), counts: countsWith({ uncertain: 3 }) } }))
  server.answer(`GET ${path}/recipients`, () => ({ json: page }))
  await openApp('/broadcasts?id=campaign-1&recipients=uncertain')
  const words = async (name: string) => (await screen.findByText(name)).closest('li')?.textContent
  expect(await words('Asha 1')).toContain('WhatsApp answered for others at that time.')
  expect(await words('Asha 2')).toContain('Nothing was confirmed at that time.')
  expect(await words('Asha 3')).not.toContain('at that time')
})

test('the timeline tells who has done what, and follows what happens', async () => {
  const server = stubServer({ ...signedInServer(), 'GET /api/auth/user': () => userWithRole('owner') })
  const events = stubEvents()
  server.answer('GET /api/events', events.response)
  const userId = userOf().id
  const items: CampaignTimelineItem[] = [
    { id: 'e-8', kind: 'recipients_removed', at: hoursAgo(0), months: 13 },
    {
      id: 'e-6',
      kind: 'followed',
      at: hoursAgo(1),
      memberId: userId,
      campaignId: 'c-2',
      name: 'Again',
      missed: 'failed',
    },
    { id: 'e-5', kind: 'paused', at: hoursAgo(2), reason: 'too_many_failures', detail: '51 of the last 200 failed.' },
    { id: 'e-4', kind: 'counted', at: hoursAgo(3), audience: 7, recipients: 4 },
    {
      id: 'e-3',
      kind: 'launched',
      at: hoursAgo(4),
      memberId: 'gone',
      recipients: 41,
      accepted: ['number_quality_low', 'takes_days'],
    },
    { id: 'e-2', kind: 'reviewed', at: hoursAgo(5), memberId: userId, audience: 45, recipients: 41 },
    { id: 'e-1', kind: 'created', at: hoursAgo(6), memberId: userId, follows: { campaignId: 'c-0', name: 'Diwali' } },
  ]
  const shown = [...items]
  server.answer(`GET ${path}/timeline`, () => ({
    json: { items: shown, total: shown.length, nextCursor: null, previousCursor: null },
  }))
  await openApp('/broadcasts?id=campaign-1')
  const details = within(await screen.findByRole('dialog', { name: 'Summer sale' }))
  await userEvent.click(await details.findByRole('tab', { name: 'Timeline' }))
  expect(window.location.search).toContain('timeline=1')
  const list = within(await details.findByRole('list', { name: 'Timeline' }))
  const texts = () => list.getAllByRole('listitem').map(({ firstChild }) => firstChild?.textContent)
  await waitFor(() =>
    expect(texts()).toEqual([
      'Its list of recipients was removed: lists are kept for 13 months',
      'You created Again for failed recipients',
      'Paused because too many of its latest messages failed',
      'Its audience was counted again at the start: 4 more recipients than in the review',
      'A former member started it for 41 contacts',
      'You reviewed it: 41 of 45 contacts would get it',
      'You created it for recipients that Diwali missed',
    ]),
  )
  expect(list.getByText('51 of the last 200 failed.')).toBeTruthy()
  expect(list.getByText(/^Confirmed before: WhatsApp rates .* as low; it takes more than a day$/)).toBeTruthy()
  expect(list.getByRole('link', { name: 'Again' }).getAttribute('href')).toBe('/broadcasts?id=c-2')
  await waitFor(() => expect(events.readers()).toBe(1))
  shown.unshift({ id: 'e-7', kind: 'cancelled', at: hoursAgo(0), memberId: userId })
  events.send('campaign.changed', eventOf('campaign.changed', { campaignId: 'campaign-1' }))
  expect(await list.findByText('You cancelled it')).toBeTruthy()
})
