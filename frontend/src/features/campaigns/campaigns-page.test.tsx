import { createStory } from '@parley/sample/story'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import {
  claimsOf,
  eventOf,
  membersWithRole,
  signedInServer,
  stubEvents,
  stubServer,
} from '../../testing/stub-server.ts'

async function openCampaigns(query = '') {
  const server = stubServer(signedInServer())
  await openApp(`/broadcasts${query}`)
  return server
}

const cardOf = async (name: string) => {
  const card = (await screen.findByRole('heading', { level: 2, name })).closest('li')
  if (!card) throw new Error(`${name} stands in no card.`)
  return within(card)
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
  const story = createStory({ now: new Date() })
  const campaign = story.campaigns.get('campaign-5')
  const counts = { ...campaign?.counts, sent: 1700, queued: 3, uncertain: 2, clicked: null, replied: null }
  events.tell('campaign.progress', { campaignId: 'campaign-5', counts })
  expect(await details.findByText(/^1,700 of [\d,]+ sent, 3 waiting$/)).toBeTruthy()
  expect(await details.findByText(/^Not confirmed: 2\./)).toBeTruthy()
  await waitFor(() => expect(details.queryByText('Clicked')).toBeNull())
  expect(details.queryByText(/^Replied: wrote within 72 hours/)).toBeNull()
  events.tell('campaign.progress', { campaignId: 'campaign-5', counts: { ...counts, replied: 41 } })
  expect(await details.findByRole('button', { name: 'Replied 41' })).toBeTruthy()
  expect(details.getByText(/^Replied: wrote within 72 hours.* no reply\.$/)).toBeTruthy()
  const stands = (clicks: string, version: number) => {
    const told = { ...campaign, version, clicks, counts: { ...counts, replied: 41 } }
    server.answer('GET /api/campaigns/campaign-5', () => ({ json: told }))
    events.tell('campaign.changed', eventOf('campaign.changed', { campaignId: 'campaign-5' }))
  }
  stands('not_tracked', 2)
  expect(await details.findByText(/^Clicked: not tracked\./)).toBeTruthy()
  expect(details.queryByRole('button', { name: /^Clicked/ })).toBeNull()
  stands('counted', 3)
  expect(await details.findByRole('button', { name: 'Clicked 0' })).toBeTruthy()
  expect(details.queryByText(/not tracked/)).toBeNull()
  const paused = { ...campaign, version: 4, status: 'paused', pausedFor: 'template_not_approved' }
  server.answer('GET /api/campaigns/campaign-5', () => ({ json: paused }))
  events.tell('campaign.changed', eventOf('campaign.changed', { campaignId: 'campaign-5' }))
  expect(await details.findByText(/^Paused because WhatsApp does not approve its template/)).toBeTruthy()
  expect(details.getByRole('button', { name: 'Resume' })).toBeTruthy()
  const failures = { version: 5, pausedFor: 'too_many_failures', pauseDetail: '51 of the last 200 failed.' }
  server.answer('GET /api/campaigns/campaign-5', () => ({ json: { ...paused, ...failures } }))
  events.tell('campaign.changed', eventOf('campaign.changed', { campaignId: 'campaign-5' }))
  expect(await details.findByText('51 of the last 200 failed.')).toBeTruthy()
  await userEvent.click(details.getByRole('button', { name: 'See who they are' }))
  expect(await details.findByRole('combobox', { name: 'Show' })).toBeTruthy()
})

test('a figure opens the rows behind it: who it was, why, and the way to the conversation', async () => {
  const server = stubServer(signedInServer())
  const row = { id: 'row-1', contactId: 'contact-1', phone: '+919876543210', known: true, times: {} }
  const failed = { ...row, name: 'Asha Rao', state: 'failed', code: 131026, reason: 'This number is not on WhatsApp.' }
  const gone = { ...row, id: 'row-2', name: '', known: false, state: 'read' }
  const failures = [{ code: 131026, title: 'Not on WhatsApp', count: 1 }]
  const page = { nextCursor: null, previousCursor: null, failures }
  server.answer('GET /api/campaigns/campaign-1/recipients', (_, nth) => {
    const items = nth === 1 ? [failed] : [failed, gone]
    return { json: { ...page, items, total: items.length } }
  })
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
  await userEvent.click(details.getByRole('button', { name: 'Back to the campaign' }))
  await userEvent.click(await details.findByRole('button', { name: 'All recipients' }))
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
  const counts = createStory({ now: new Date() }).campaigns.get('campaign-5')?.counts
  state = 'read'
  events.tell('campaign.progress', { campaignId: 'campaign-5', counts: { ...counts, read: 1 } })
  expect(await rows.findByText('Read')).toBeTruthy()
})

test('a new broadcast goes step by step and stands on top once it is created', async () => {
  await openCampaigns('?new=1&step=review&template=template-2')
  // Nothing is filled in yet, so the first step stands there.
  const name = await screen.findByLabelText('Campaign name')
  const next = () => userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  await next()
  expect(await screen.findByText('Enter a name')).toBeTruthy()
  await userEvent.type(name, 'Spring tea')
  await userEvent.click(await screen.findByRole('radio', { name: /VIP/ }))
  expect(await screen.findByText(/of \d+ contacts get the message/)).toBeTruthy()
  await next()
  expect(await screen.findByLabelText('Fallback for {{first_name}}')).toHaveProperty('value', 'there')
  await next()
  expect(await screen.findByText('Send from')).toBeTruthy()
  await next()
  const numbers = within(await screen.findByRole('region', { name: 'Numbers' }))
  expect(numbers.getByText(/^\d+ credits$/)).toBeTruthy()
  const prices = await numbers.findByRole('link', { name: 'enter your message prices' })
  expect(prices.getAttribute('href')).toBe('/settings?tab=billing')
  await userEvent.click(await screen.findByRole('button', { name: 'Send now' }))
  const card = await cardOf('Spring tea')
  expect(card.getByText('Active')).toBeTruthy()
  expect(screen.getAllByRole('heading', { level: 2 })[0]?.textContent).toBe('Spring tea')
  await waitFor(() => expect(window.location.search).toBe(''))
})

test('a template that is chosen late is not asked for any more', async () => {
  await openCampaigns('?new=1')
  await userEvent.type(await screen.findByLabelText('Campaign name'), 'Spring tea')
  await userEvent.click(await screen.findByRole('radio', { name: /VIP/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  const template = await screen.findByRole('combobox', { name: 'Template' })
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByText('Choose a template', { selector: 'p' })).toBeTruthy()
  await userEvent.click(template)
  await userEvent.click(await screen.findByTitle(/^summer_sale/))
  await waitFor(() => expect(screen.queryByText('Choose a template', { selector: 'p' })).toBeNull())
  expect(await screen.findByLabelText('Text for {{discount}}')).toBeTruthy()
})

test('a review warns where the number may write first to fewer customers than the campaign is for', async () => {
  const server = await openCampaigns('?new=1&step=review&template=template-2')
  const excluded = { optedOut: 0, noOptIn: 0, recentlyMessaged: 0, blocked: 0, unreachable: 0 }
  const counts = (reachable: number) => ({ json: { audience: reachable, excluded, reachable } })
  server.answer('POST /api/campaigns/preview', () => counts(10_001))
  await userEvent.type(await screen.findByLabelText('Campaign name'), 'Spring tea')
  await userEvent.click(await screen.findByRole('radio', { name: /VIP/ }))
  const next = () => userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  await next()
  expect(await screen.findByLabelText('Fallback for {{first_name}}')).toHaveProperty('value', 'there')
  await next()
  expect(await screen.findByText('Send from')).toBeTruthy()
  await next()
  const numbers = within(await screen.findByRole('region', { name: 'Numbers' }))
  expect(
    await numbers.findByText(/write first to 10,000 customers in 24 hours, and this campaign is for 10,001/),
  ).toBeTruthy()
  // It is a warning: sending is up to the person.
  expect(screen.getByRole('button', { name: 'Send now' })).toHaveProperty('disabled', false)
})

test('a review shows what is left of the plan, and what does not fit is not sent', async () => {
  const server = await openCampaigns('?new=1&step=review&template=template-2')
  const usage = {
    plan: 'Starter',
    from: '2026-11-09',
    to: '2026-12-09',
    limit: 25_000,
    renews: true,
    ended: false,
    limited: true,
  }
  server.answer('GET /api/usage', () => ({ json: { ...usage, used: 24_000, held: 950, left: 50 } }))
  const excluded = { optedOut: 0, noOptIn: 0, recentlyMessaged: 0, blocked: 0, unreachable: 0 }
  server.answer('POST /api/campaigns/preview', () => ({ json: { audience: 51, excluded, reachable: 51 } }))
  await userEvent.type(await screen.findByLabelText('Campaign name'), 'Spring tea')
  await userEvent.click(await screen.findByRole('radio', { name: /VIP/ }))
  const next = () => userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  await next()
  expect(await screen.findByLabelText('Fallback for {{first_name}}')).toHaveProperty('value', 'there')
  await next()
  expect(await screen.findByText('Send from')).toBeTruthy()
  await next()
  const quota = within(await screen.findByRole('region', { name: 'Quota' }))
  const lines = screen.getByRole('region', { name: 'Quota' }).querySelectorAll('dl > div')
  expect([...lines].map(({ textContent }) => textContent)).toEqual([
    'This campaign needs51',
    'Starter allows25,000',
    'Used24,000',
    'Held by campaigns950',
    'Left50',
  ])
  expect(quota.getByText('Renewed on Dec 9, 2026.')).toBeTruthy()
  expect(quota.getByRole('alert').textContent).toMatch(/^This campaign needs 51 credits, and 50 of 25,000 are left/)
  expect(screen.getByRole('button', { name: 'Send now' })).toHaveProperty('disabled', true)
  server.answer('GET /api/usage', () => ({ json: { ...usage, used: 24_000, held: 949, left: 51 } }))
  await userEvent.click(screen.getByRole('button', { name: 'Edit schedule' }))
  await next()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Send now' })).toHaveProperty('disabled', false))
  expect(screen.queryByText(/^This campaign needs 51 credits/)).toBeNull()
})

test('a broadcast keeps to the sending hours, or is made an exception; one that waits says until when', async () => {
  const server = await openCampaigns('?new=1&step=review&template=template-2')
  const hours = { limited: true, zone: 'Asia/Kolkata', opens: '09:00', closes: '21:00', version: 1 }
  server.answer('GET /api/workspace/sending-hours', () => ({ json: hours }))
  await userEvent.type(await screen.findByLabelText('Campaign name'), 'Spring tea')
  await userEvent.click(await screen.findByRole('radio', { name: /VIP/ }))
  const next = () => userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  await next()
  expect(await screen.findByLabelText('Fallback for {{first_name}}')).toBeTruthy()
  await next()
  const exception = await screen.findByRole('switch', { name: 'Send outside of sending hours too' })
  expect(screen.getByText(/^Otherwise it waits and goes on by itself: 9:00\sAM to 9:00\sPM /)).toBeTruthy()
  await next()
  expect(await screen.findByText(/^Only from 9:00\sAM to 9:00\sPM /)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Edit schedule' }))
  await userEvent.click(await screen.findByRole('switch', { name: 'Send outside of sending hours too' }))
  expect(exception.isConnected).toBe(false)
  await next()
  expect(await screen.findByText('As soon as it is created')).toBeTruthy()
  expect(screen.queryByText(/^Only from/)).toBeNull()
  await userEvent.click(await screen.findByRole('button', { name: 'Send now' }))
  await cardOf('Spring tea')
  const { body } = server.calls.findLast(({ method, path }) => method === 'POST' && path === '/api/campaigns') ?? {}
  expect(JSON.parse(body ?? '')).toMatchObject({ name: 'Spring tea', anyHour: true })

  const story = createStory({ now: new Date() })
  const waits = { ...story.campaigns.get('campaign-5'), waitsUntil: '2026-03-15T03:30:00.000Z' }
  server.answer('GET /api/campaigns/campaign-5', () => ({ json: waits }))
  await openApp('/broadcasts?id=campaign-5')
  expect(await screen.findByText(/outside of your sending hours\. It goes on by itself on Sun/)).toBeTruthy()
})

test('whom a campaign has missed gets another one with the same message; a reload keeps what was changed', async () => {
  const server = await openCampaigns('?id=campaign-1')
  const excluded = { optedOut: 2, noOptIn: 0, recentlyMessaged: 0, blocked: 0, unreachable: 0 }
  server.answer('POST /api/campaigns/preview', () => ({ json: { audience: 41, excluded, reachable: 39 } }))
  const details = within(await screen.findByRole('dialog', { name: 'Summer sale' }))
  await userEvent.click(await details.findByRole('button', { name: 'Send again to…' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: /^Delivered, not read \([\d,]+\)$/ }))
  const name = await screen.findByLabelText('Campaign name')
  expect(name).toHaveProperty('value', 'Summer sale again')
  expect(screen.getByRole('radio', { name: 'An earlier campaign' })).toHaveProperty('checked', true)
  expect(await screen.findByText('of 41 contacts get the message')).toBeTruthy()
  await userEvent.click(screen.getByRole('radio', { name: /^Delivered, no reply/ }))
  await userEvent.type(name, '!')
  await openApp(`/broadcasts${window.location.search}`, { keepStorage: true })
  expect(await screen.findByLabelText('Campaign name')).toHaveProperty('value', 'Summer sale again!')
  const next = () => userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  await next()
  const { variables, templateId } = createStory({ now: new Date() }).campaigns.get('campaign-1') ?? {}
  for (const [key, source] of Object.entries(variables ?? {}))
    expect(
      await screen.findByLabelText(`${source.kind === 'text' ? 'Text' : 'Fallback'} for {{${key}}}`),
    ).toHaveProperty('value', source.kind === 'text' ? source.text : source.fallback)
  await next()
  expect(await screen.findByText('Send from')).toBeTruthy()
  await next()
  expect(await screen.findByText('Summer sale: delivered, no reply')).toBeTruthy()
  await userEvent.click(await screen.findByRole('button', { name: 'Send now' }))
  await cardOf('Summer sale again!')
  const { body } = server.calls.findLast(({ method, path }) => method === 'POST' && path === '/api/campaigns') ?? {}
  const audience = { kind: 'campaign', campaignId: 'campaign-1', missed: 'not_replied' }
  expect(JSON.parse(body ?? '')).toMatchObject({ audience, templateId, variables })
})

test('who may only look at campaigns is offered nothing else', async () => {
  stubServer({ ...signedInServer(), 'GET /api/members': () => membersWithRole('viewer') })
  await openApp('/broadcasts?id=campaign-5')
  const running = within(await screen.findByRole('dialog', { name: 'Cart reminders' }))
  expect(await running.findByText('Only owners and admins pause or cancel campaigns.')).toBeTruthy()
  expect(running.queryByRole('button', { name: 'Pause' })).toBeNull()
  stubServer({ ...signedInServer(), 'GET /api/members': () => membersWithRole('viewer') })
  await openApp('/broadcasts?id=campaign-1')
  const ended = within(await screen.findByRole('dialog', { name: 'Summer sale' }))
  expect(await ended.findByText('Nothing more will be sent.')).toBeTruthy()
  await waitFor(() => expect(ended.queryByRole('button', { name: 'Send again to…' })).toBeNull())
  await waitFor(() => expect(screen.queryByRole('button', { name: 'New Broadcast', hidden: true })).toBeNull())
})

test('whoever may not plan campaigns is told so wherever the way leads there', async () => {
  stubServer({ ...signedInServer(), 'GET /api/members': () => membersWithRole('agent') })
  await openApp('/broadcasts?new=1')
  expect(await screen.findByText('Your role cannot plan campaigns')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Show campaigns' }))
  expect(await screen.findByText('Summer sale')).toBeTruthy()
})

test('a campaign that is not there says so, and an empty workspace offers the first step', async () => {
  await openCampaigns('?id=gone')
  await userEvent.click(await screen.findByRole('button', { name: 'Show all campaigns' }))
  await waitFor(() => expect(window.location.search).toBe(''))
  await openCampaigns('?state=empty')
  expect(await screen.findByText('Send your first campaign')).toBeTruthy()
})

test('a broadcast that was begun outlives a reload, until it is left; nobody else meets it', async () => {
  const path = '/broadcasts?new=1'
  await openCampaigns('?new=1')
  await userEvent.type(await screen.findByLabelText('Campaign name'), 'Spring tea')
  await openApp(path, { keepStorage: true })
  expect(await screen.findByLabelText('Campaign name')).toHaveProperty('value', 'Spring tea')
  await userEvent.click(screen.getByRole('button', { name: 'Start over' }))
  await waitFor(() => expect(screen.getByLabelText('Campaign name')).toHaveProperty('value', ''))
  await userEvent.type(screen.getByLabelText('Campaign name'), 'Autumn tea')
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await userEvent.click(await screen.findByText('Leave'))
  await screen.findByRole('button', { name: 'New Broadcast' })
  await openApp(path, { keepStorage: true })
  await userEvent.type(await screen.findByLabelText('Campaign name'), 'Winter tea')
  stubServer(signedInServer(claimsOf({ sub: 'ravi' })))
  await openApp(path, { keepStorage: true })
  expect(await screen.findByLabelText('Campaign name')).toHaveProperty('value', '')
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('tea')
})
