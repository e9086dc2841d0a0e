import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../testing/stub-server.ts'
import { daysText, dayText } from './analytics-labels.ts'

async function openAnalytics(query = '') {
  const server = stubServer(signedInServer())
  await openApp(`/analytics${query}`)
  await screen.findByRole('heading', { level: 1, name: 'Analytics' })
  return server
}

test('the cards show the figures of 30 days; another period has its own and stands in the address', async () => {
  await openAnalytics()
  expect(await screen.findByText('12,486')).toBeTruthy()
  expect(screen.getByText('10,318')).toBeTruthy()
  expect(screen.getAllByText('12.5% more than last month').length).toBeGreaterThan(0)
  await userEvent.click(screen.getByRole('button', { name: 'Last 30 Days' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Last 7 Days' }))
  expect(await screen.findAllByText(/than the previous 7 days/)).not.toHaveLength(0)
  expect(window.location.search).toBe('?period=7d')
  expect(screen.queryByText('12,486')).toBeNull()
})

test('an address with a last day shows exactly these days, until another period is chosen', async () => {
  const server = await openAnalytics('?period=7d&to=2026-03-15&view=table')
  const week = within(await screen.findByRole('region', { name: 'Messages of Seven Days' }))
  const days = week.getAllByRole('rowheader').map(({ textContent }) => textContent)
  expect([days[0], days.at(-1)]).toEqual([dayText('2026-03-09', 'long'), dayText('2026-03-15', 'long')])
  expect(screen.getAllByText(/than the 7 days before$/)).not.toHaveLength(0)
  expect(screen.queryByRole('link', { name: /contacts of these days$/ })).toBeNull()
  await userEvent.click(await screen.findByRole('tab', { name: 'Team' }))
  expect(window.location.search).toBe('?period=7d&to=2026-03-15&view=table&tab=team')
  await screen.findByRole('region', { name: 'Team' })
  expect(screen.queryByRole('combobox', { name: 'Figures of' })).toBeNull()
  expect(server.calls.findLast(({ path }) => path === '/api/analytics/members')?.search).toContain('to=2026-03-15')
  await userEvent.click(screen.getByRole('button', { name: daysText('7d', '2026-03-15') }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Last 7 Days' }))
  expect(window.location.search).toBe('?period=7d&view=table&tab=team')
  act(() => window.history.back())
  expect(await screen.findByRole('button', { name: daysText('7d', '2026-03-15') })).toBeTruthy()
})

test('figures say when and by which clock they were summed, and how they are counted', async () => {
  await openAnalytics()
  expect(await screen.findByText(/Days are those of Asia\/Kolkata/)).toBeTruthy()
  const label = screen.getByText('Bot Interactions')
  label.focus()
  expect(await screen.findByRole('tooltip', { name: /^Conversations that a bot took over/ })).toBeTruthy()
  expect(screen.getByText(/Sample data included\./)).toBeTruthy()
})

test('the figures of one number or member stand alone, without those that only the workspace has', async () => {
  await openAnalytics('?of=number:number-1')
  expect(await screen.findByText('Counted for the whole workspace only')).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Bot Performance' })).toBeNull()
  expect(screen.getByRole('region', { name: 'Top Performing Campaigns' })).toBeTruthy()
  expect(screen.queryByText('12,486')).toBeNull()
})

test('a figure opens the rows that it is the sum of, and exports them', async () => {
  const server = await openAnalytics()
  await userEvent.click(await screen.findByRole('link', { name: /^12,486/ }))
  const drawer = within(await screen.findByRole('dialog'))
  expect(window.location.search).toBe('?rows=totalMessages')
  expect(drawer.getByText('Total Messages')).toBeTruthy()
  expect(await drawer.findByText(/ from .+, by days of .+ 12,486 of them are figures of the sample data/)).toBeTruthy()
  const rows = within(drawer.getByRole('list', { name: 'Rows' }))
  expect(rows.getAllByRole('link')[0]?.getAttribute('href')).toMatch(/^\/conversations\?id=/)
  await userEvent.click(await drawer.findByRole('button', { name: 'Export rows' }))
  await waitFor(() => expect(server.count('POST /api/analytics/rows/exports')).toBe(1))
  expect(await screen.findByText('Rows exported.')).toBeTruthy()
  await userEvent.click(drawer.getByRole('button', { name: 'Close rows' }))
  await waitFor(() => expect(window.location.search).toBe(''))
})

test('the figures of days, bots and campaigns open what they are made of', async () => {
  await openAnalytics('?view=table')
  const week = within(await screen.findByRole('region', { name: 'Messages This Week' }))
  expect(week.getAllByRole('link')[0]?.getAttribute('href')).toMatch(/rows=messagesSent&on=\d{4}-\d\d-\d\d$/)
  const bots = within(screen.getByRole('region', { name: 'Bot Performance' }))
  const resolved = await bots.findByRole('link', { name: /resolved by Welcome$/ })
  expect(resolved.getAttribute('href')).toMatch(/rows=resolved&by=bot%3A/)
  const campaigns = within(screen.getByRole('region', { name: 'Top Performing Campaigns' }))
  const read = campaigns.getAllByRole('link', { name: /, read$/ })[0]
  expect(read?.getAttribute('href')).toMatch(/^\/broadcasts\?id=.*&recipients=read$/)
  expect(screen.getByRole('link', { name: /contacts of these days$/ }).getAttribute('href')).toBe('/contacts?last=30d')
})

test('the week is there as a table of seven days', async () => {
  await openAnalytics('?view=table')
  const panel = within(await screen.findByRole('region', { name: 'Messages This Week' }))
  expect(panel.getAllByRole('rowheader')).toHaveLength(7)
  expect(panel.getByRole('columnheader', { name: 'Received' })).toBeTruthy()
})

test('campaigns and bots stand with their figures, and lead to all of them', async () => {
  await openAnalytics()
  const campaigns = within(await screen.findByRole('region', { name: 'Top Performing Campaigns' }))
  for (const name of ['Delivered', 'Opened', 'Clicked', 'Open rate'])
    expect(campaigns.getByRole('columnheader', { name })).toBeTruthy()
  expect(campaigns.getByRole('link', { name: 'View All campaigns' }).getAttribute('href')).toBe('/broadcasts')
  const bots = within(screen.getByRole('region', { name: 'Bot Performance' }))
  const welcome = await bots.findByRole('link', { name: 'Welcome' })
  expect(welcome.getAttribute('href')).toMatch(/^\/bots\?bot=/)
  expect(bots.getByRole('link', { name: 'View All bots' }).getAttribute('href')).toBe('/bots')
})

test('Export Report makes a file of them', async () => {
  const blobs: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) blobs.push(blob)
    return 'blob:report'
  })
  await openAnalytics()
  await screen.findByText('12,486')
  await userEvent.click(screen.getByRole('button', { name: 'Export Report' }))
  expect(await screen.findByText('The report was downloaded.')).toBeTruthy()
  expect(await blobs[0]?.text()).toContain('Total Messages,12486,12.5')
})
