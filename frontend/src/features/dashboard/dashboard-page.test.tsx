import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { paths } from '../../app/paths.ts'
import { openApp } from '../../testing/open-app.tsx'
import { signedInServer, stubEvents, stubServer, unavailable } from '../../testing/stub-server.ts'

async function openDashboard(handlers: Parameters<typeof stubServer>[0] = {}, records?: number) {
  const server = stubServer({ ...signedInServer(), ...handlers }, { records })
  await openApp('/dashboard')
  await screen.findByRole('heading', { level: 1, name: 'Dashboard' })
  return server
}

test.each([
  ['Total Messages', '12,486', '12.5% more than last month'],
  ['Active Campaigns', '3', '1 more than last week'],
  ['Credits Remaining', '18,420', '410 fewer than yesterday'],
  ['Response Rate', '94.2%', '2.1 points above last month'],
])('the card %s shows %s and its trend', async (label, value, trend) => {
  await openDashboard()
  const card = (await screen.findByText(label)).closest('div')
  if (!card) throw new Error('The label stands in no card.')
  expect(within(card).getByText(value)).toBeTruthy()
  expect(within(card).getByText(trend)).toBeTruthy()
  expect(card.querySelector('svg[preserveAspectRatio] path')?.getAttribute('d')).toMatch(/^M0 /)
})

test('the credit bar says what is used, what is left and when it begins anew', async () => {
  await openDashboard()
  expect(await screen.findByText('6,580 of 25,000 credits used this month')).toBeTruthy()
  expect(screen.getByText('resets in 12 days')).toBeTruthy()
  expect(screen.getByRole('progressbar', { name: 'Credit Usage' }).getAttribute('aria-valuenow')).toBe('6580')
})

test('the activity list has every kind, with an icon that is named and the time in full', async () => {
  await openDashboard()
  const list = within(await screen.findByRole('region', { name: 'Recent Activity' }))
  for (const kind of ['Message', 'Campaign', 'Bot', 'Error']) {
    expect(list.getAllByRole('img', { name: kind }).length).toBeGreaterThan(0)
  }
  expect(list.getByText('Unable to deliver message')).toBeTruthy()
  const time = list.getByText('47 min ago')
  await userEvent.hover(time)
  expect((await screen.findByRole('tooltip')).textContent).toMatch(/20\d\d.*\d:\d\d/)
})

test('every action leads to its screen', async () => {
  await openDashboard()
  const actions = within(await screen.findByRole('region', { name: 'Quick Actions' }))
  const links = [
    screen.getByRole('link', { name: 'View Reports' }),
    screen.getByRole('link', { name: 'Send Message' }),
    ...actions.getAllByRole('link'),
  ].map((link) => [link.textContent, link.getAttribute('href') ?? ''] as const)
  expect(links).toEqual([
    ['View Reports', '/analytics'],
    ['Send Message', '/conversations?new=1'],
    ['Create CampaignMessage many people at once', '/broadcasts?new=1'],
    ['Configure BotAnswer routine questions', '/bots'],
    ['Import ContactsUpload CSV', '/contacts?import=1'],
    ['View AnalyticsSee what works', '/analytics'],
  ])
  const screens: string[] = Object.values(paths)
  for (const [, href] of links) expect(screens).toContain(href.replace(/\?.*/, ''))
})

test('an empty workspace says what will stand here', async () => {
  await openDashboard({}, 0)
  expect(await screen.findByText('Nothing has happened yet')).toBeTruthy()
  expect(screen.getByText('0 of 25,000 credits used this month')).toBeTruthy()
  expect(screen.queryByText(/Sample data included/)).toBeNull()
})

test('figures say as of when they are, by whose days, and how each is counted', async () => {
  await openDashboard()
  expect(await screen.findByText(/Days are those of Asia\/Kolkata/)).toBeTruthy()
  await userEvent.hover(screen.getByText('Response Rate'))
  expect((await screen.findByRole('tooltip')).textContent).toContain('within 24 hours')
  expect(screen.getByText(/Sample data included\./)).toBeTruthy()
})

test('what has nothing before it is new, and a rate of nothing is none', async () => {
  await openDashboard({}, 0)
  expect(await screen.findByText('No customer has waited for an answer')).toBeTruthy()
  expect(screen.getByText('Response Rate').closest('div')?.textContent).toContain('–')
})

test('figures are read anew when the server says that they have changed', async () => {
  const events = stubEvents()
  const server = await openDashboard({ 'GET /api/events': () => events.response() })
  await screen.findByText('12,486')
  await waitFor(() => expect(events.readers()).toBe(1))
  const before = server.count('GET /api/dashboard')
  events.send('figures.changed', {})
  await waitFor(() => expect(server.count('GET /api/dashboard')).toBeGreaterThan(before))
})

test('while it is read the layout stands already', async () => {
  await openDashboard({ 'GET /api/dashboard': () => new Promise<never>(() => {}) })
  expect(await screen.findByRole('status', { name: 'Loading...' })).toBeTruthy()
})

test('a failed read can be tried again', async () => {
  const server = await openDashboard({ 'GET /api/dashboard': unavailable })
  const retry = await screen.findByRole('button', { name: 'Retry' })
  server.answer('GET /api/dashboard', () => undefined)
  await userEvent.click(retry)
  expect(await screen.findByText('6,580 of 25,000 credits used this month')).toBeTruthy()
})
