import { nobodyExcluded } from '@parley/contracts/campaigns/campaigns'
import { createSampleDataset } from '@parley/sample/sample-dataset'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { cardOf } from '../../testing/card-of.ts'
import { openApp } from '../../testing/open-app.tsx'
import { eventOf, signedInServer, stubEvents, stubServer, userWithRole } from '../../testing/stub-server.ts'

async function openCampaigns(query = '', records?: number) {
  const server = stubServer(signedInServer(), { records })
  await openApp(`/broadcasts${query}`)
  return server
}

test('cards show status, schedule, progress, audience and delivery', async () => {
  await openCampaigns()
  const offer = await cardOf('Weekend offer')
  expect(offer.getByText('Scheduled')).toBeTruthy()
  expect(offer.getByText(/Sat.*10:00/)).toBeTruthy()
  const sale = await cardOf('Summer sale')
  expect(sale.getByText('Completed')).toBeTruthy()
  expect(sale.getByText('97%')).toBeTruthy()
  const progress = sale.getByRole('progressbar', { name: 'Progress of Summer sale' })
  expect(progress.getAttribute('aria-valuetext')).toMatch(/^[\d,]+ of [\d,]+ sent$/)
  const counters = () =>
    ['Total', 'Active', 'Scheduled', 'Completed', 'Paused'].map(
      (label) => screen.getAllByText(label).find((node) => node.tagName === 'DT')?.nextSibling?.textContent,
    )
  await waitFor(() => expect(counters()).toEqual(['10', '3', '2', '4', '1']))
})

test('a running campaign is paused, and cancelled only when that is confirmed', async () => {
  const server = await openCampaigns('?id=campaign-5')
  const details = within(await screen.findByRole('dialog', { name: 'Cart reminders' }))
  await userEvent.click(await details.findByRole('button', { name: 'Pause' }))
  expect(await details.findByText('Paused')).toBeTruthy()
  await userEvent.click(details.getByRole('button', { name: 'Cancel campaign' }))
  const dialog = (await screen.findByText('Cancel Cart reminders?')).closest<HTMLElement>('.ant-modal')
  if (!dialog) throw new Error('The question stands in no dialog.')
  const asked = within(dialog)
  expect(details.queryByText('Cancelled')).toBeNull()
  await userEvent.click(asked.getByText('Cancel campaign'))
  expect(await details.findByText('Cancelled')).toBeTruthy()
  // One change is sent after the other.
  await waitFor(() => expect(server.count('POST /api/campaigns/campaign-5/status')).toBe(2))
})

test('a running campaign is watched: how far it has come arrives by itself, and why it was paused', async () => {
  const server = stubServer(signedInServer())
  const events = stubEvents()
  server.answer('GET /api/events', events.response)
  await openApp('/broadcasts?id=campaign-5')
  const details = within(await screen.findByRole('dialog', { name: 'Cart reminders' }))
  await details.findByText('Active')
  await waitFor(() => expect(events.readers()).toBe(1))
  const sampleDataset = createSampleDataset({ now: new Date() })
  const campaign = sampleDataset.campaigns.get('campaign-5')
  const counts = { ...campaign?.counts, sent: 1700, queued: 3, uncertain: 2, clicked: null, replied: null }
  events.send('campaign.progress', { campaignId: 'campaign-5', counts })
  expect(await details.findByText(/^1,700 of [\d,]+ sent, 3 waiting$/)).toBeTruthy()
  expect(await details.findByText(/^Not confirmed: 2\./)).toBeTruthy()
  await waitFor(() => expect(details.queryByText('Clicked')).toBeNull())
  expect(details.queryByText(/^Replied: wrote within 72 hours/)).toBeNull()
  events.send('campaign.progress', { campaignId: 'campaign-5', counts: { ...counts, replied: 41 } })
  expect(await details.findByRole('button', { name: 'Replied 41' })).toBeTruthy()
  expect(details.getByText(/^Replied: wrote within 72 hours.* no reply\.$/)).toBeTruthy()
  const stands = (clicks: string, version: number) => {
    const changed = { ...campaign, version, clicks, counts: { ...counts, replied: 41 } }
    server.answer('GET /api/campaigns/campaign-5', () => ({ json: changed }))
    events.send('campaign.changed', eventOf('campaign.changed', { campaignId: 'campaign-5' }))
  }
  stands('not_tracked', 2)
  expect(await details.findByText(/^Clicked: not tracked\./)).toBeTruthy()
  expect(details.queryByRole('button', { name: /^Clicked/ })).toBeNull()
  stands('counted', 3)
  expect(await details.findByRole('button', { name: 'Clicked 0' })).toBeTruthy()
  expect(details.queryByText(/not tracked/)).toBeNull()
  stands('partly', 4)
  expect(await details.findByText(/Visits of its other links are not counted\./)).toBeTruthy()
  expect(details.getByRole('button', { name: 'Clicked 0' })).toBeTruthy()
  const paused = { ...campaign, version: 5, status: 'paused', pausedFor: 'template_not_approved' }
  server.answer('GET /api/campaigns/campaign-5', () => ({ json: paused }))
  events.send('campaign.changed', eventOf('campaign.changed', { campaignId: 'campaign-5' }))
  expect(await details.findByText(/^Paused because WhatsApp no longer approves its template/)).toBeTruthy()
  expect(details.getByRole('button', { name: 'Resume' })).toBeTruthy()
  const failures = { version: 6, pausedFor: 'too_many_failures', pauseDetail: '51 of the last 200 failed.' }
  server.answer('GET /api/campaigns/campaign-5', () => ({ json: { ...paused, ...failures } }))
  events.send('campaign.changed', eventOf('campaign.changed', { campaignId: 'campaign-5' }))
  expect(await details.findByText('51 of the last 200 failed.')).toBeTruthy()
  await userEvent.click(details.getByRole('button', { name: 'See who they are' }))
  expect(await details.findByRole('combobox', { name: 'Show' })).toBeTruthy()
})

test('a figure opens the rows behind it: who it was, why, and the way to the conversation', async () => {
  const server = stubServer(signedInServer())
  const row = { id: 'row-1', contactId: 'contact-1', phone: '+919876543210', known: true, times: {} }
  const failed = { ...row, name: 'Asha Rao', state: 'failed', code: 131026, reason: 'This number is not on WhatsApp.' }
  const gone = { ...row, id: 'row-2', name: '', known: false, state: 'read' }
  const failures = [{ code: 131026, class: 'bad_contact', title: 'Not on WhatsApp', count: 1 }]
  const page = { nextCursor: null, previousCursor: null, failures }
  let items: object[] = [failed]
  server.answer('GET /api/campaigns/campaign-1/recipients', () => ({ json: { ...page, items, total: items.length } }))
  await openApp('/broadcasts?id=campaign-1')
  const details = within(await screen.findByRole('dialog', { name: 'Summer sale' }))
  await userEvent.click(await details.findByRole('button', { name: /^Failed/ }))
  expect(await details.findByText('This number is not on WhatsApp.')).toBeTruthy()
  expect(details.getByText('1 contact')).toBeTruthy()
  expect(details.getByRole('link', { name: 'Asha Rao' }).getAttribute('href')).toBe('/conversations?contact=contact-1')
  expect(window.location.search).toContain('recipients=failed')
  expect(details.getByRole('link', { name: 'Export (CSV)' }).getAttribute('href')).toBe(
    '/api/campaigns/campaign-1/recipients.csv?outcome=failed',
  )
  await userEvent.click(details.getByRole('tab', { name: 'Details' }))
  await details.findByRole('button', { name: /^Failed/ })
  expect(window.location.search).not.toContain('recipients')
  items = [failed, gone]
  await userEvent.click(details.getByRole('tab', { name: 'Recipients' }))
  expect(await details.findByText('2 contacts')).toBeTruthy()
  expect(details.queryByRole('link', { name: /98765/ })).toBeNull()
})

test('the rows of a running campaign follow its figures by themselves', async () => {
  const server = stubServer(signedInServer())
  const events = stubEvents()
  server.answer('GET /api/events', events.response)
  const row = { id: 'row-1', contactId: 'contact-1', name: 'Asha Rao', phone: '+919876543210', known: true, times: {} }
  const page = { nextCursor: null, previousCursor: null, failures: [], total: 1 }
  let state = 'waiting'
  server.answer('GET /api/campaigns/campaign-5/recipients', () => ({ json: { ...page, items: [{ ...row, state }] } }))
  await openApp('/broadcasts?id=campaign-5&recipients=all')
  const details = within(await screen.findByRole('dialog', { name: 'Cart reminders' }))
  const rows = within(await details.findByRole('list'))
  expect(rows.queryByText('Read')).toBeNull()
  await waitFor(() => expect(events.readers()).toBe(1))
  const counts = createSampleDataset({ now: new Date() }).campaigns.get('campaign-5')?.counts
  state = 'read'
  events.send('campaign.progress', { campaignId: 'campaign-5', counts: { ...counts, read: 1 } })
  expect(await rows.findByText('Read')).toBeTruthy()
})

test('whom a campaign has missed gets another one with the same message: a draft, with everything filled in', async () => {
  const server = await openCampaigns('?id=campaign-1')
  const excluded = { ...nobodyExcluded, optedOut: 2 }
  server.answer('POST /api/campaigns/preview', () => ({ json: { audience: 41, excluded, reachable: 39 } }))
  const details = within(await screen.findByRole('dialog', { name: 'Summer sale' }))
  await userEvent.click(await details.findByRole('button', { name: 'Send again to…' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: /^Delivered, not read \([\d,]+\)$/ }))
  const name = await screen.findByLabelText('Campaign name')
  expect(name).toHaveProperty('value', 'Summer sale again')
  expect(screen.getByRole('radio', { name: 'An earlier campaign' })).toHaveProperty('checked', true)
  expect(screen.getByText('Of Summer sale')).toBeTruthy()
  expect(await screen.findByText('of 41 contacts get the message')).toBeTruthy()
  expect(window.location.search).toMatch(/draft=draft-\d+&step=audience/)
  const { variables } = createSampleDataset({ now: new Date() }).campaigns.get('campaign-1') ?? {}
  const asked = server.calls.filter(({ path }) => path === '/api/campaigns/campaign-1/retry')
  expect(asked.map(({ body }) => JSON.parse(body ?? ''))).toEqual([{ scope: 'not_read' }])
  await userEvent.click(screen.getByRole('radio', { name: /^Delivered, no reply/ }))
  const next = () => userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  await next()
  for (const [key, source] of Object.entries(variables ?? {}))
    expect(
      await screen.findByLabelText(`${source.kind === 'text' ? 'Text' : 'Fallback'} for {{${key}}}`),
    ).toHaveProperty('value', source.kind === 'text' ? source.text : source.fallback)
  await next()
  expect(await screen.findByText('Send from')).toBeTruthy()
  await next()
  expect(await screen.findByText('Summer sale: delivered, no reply')).toBeTruthy()
})

test('who may only look at campaigns is offered nothing else', async () => {
  stubServer({ ...signedInServer(), 'GET /api/auth/user': () => userWithRole('viewer') })
  await openApp('/broadcasts?id=campaign-5')
  const running = within(await screen.findByRole('dialog', { name: 'Cart reminders' }))
  expect(await running.findByText('Only owners and admins pause or cancel campaigns.')).toBeTruthy()
  expect(running.queryByRole('button', { name: 'Pause' })).toBeNull()
  stubServer({ ...signedInServer(), 'GET /api/auth/user': () => userWithRole('viewer') })
  await openApp('/broadcasts?id=campaign-1')
  const ended = within(await screen.findByRole('dialog', { name: 'Summer sale' }))
  expect(await ended.findByText('Nothing more will be sent.')).toBeTruthy()
  await waitFor(() => expect(ended.queryByRole('button', { name: 'Send again to…' })).toBeNull())
  await waitFor(() => expect(screen.queryByRole('button', { name: 'New Broadcast', hidden: true })).toBeNull())
})

test('whoever may not plan campaigns is told so wherever the way leads there', async () => {
  stubServer({ ...signedInServer(), 'GET /api/auth/user': () => userWithRole('viewer') })
  await openApp('/broadcasts?draft=draft-1')
  expect(await screen.findByText('Your role cannot plan campaigns')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Show campaigns' }))
  expect(await screen.findByText('Summer sale')).toBeTruthy()
})

test('a campaign that is not there says so, and an empty workspace offers the first step', async () => {
  await openCampaigns('?id=gone')
  await userEvent.click(await screen.findByRole('button', { name: 'Show all campaigns' }))
  await waitFor(() => expect(window.location.search).toBe(''))
  await openCampaigns('', 0)
  expect(await screen.findByText('Send your first campaign')).toBeTruthy()
})
