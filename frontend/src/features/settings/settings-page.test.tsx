import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../testing/stub-server.ts'

async function openSettings(query = '') {
  const server = stubServer(signedInServer())
  await openApp(`/settings${query}`)
  await screen.findByRole('heading', { level: 1, name: 'Settings & Billing' })
  return server
}

test('the tabs stand in the address, and arrow keys move between them', async () => {
  await openSettings()
  const tab = await screen.findByRole('tab', { name: 'API Credentials' })
  expect(tab.getAttribute('aria-selected')).toBe('true')
  tab.focus()
  await userEvent.keyboard('{ArrowRight}{Enter}')
  await waitFor(() => expect(window.location.search).toBe('?tab=account'))
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: /Account/ }))
  await userEvent.keyboard('{End}{Enter}')
  await waitFor(() => expect(window.location.search).toBe('?tab=audit'))
})

test('what WhatsApp says to the credentials is shown, and a typed token goes once', async () => {
  const server = await openSettings()
  await userEvent.click(await screen.findByRole('button', { name: 'Test Connection' }))
  expect(await screen.findByText('WhatsApp accepts these credentials.')).toBeTruthy()
  const token = screen.getByLabelText('Access Token')
  expect(token).toHaveProperty('value', '')
  await userEvent.type(token, 'EAAG-a-token-that-was-just-typed')
  expect(token.getAttribute('type')).toBe('password')
  await userEvent.click(screen.getByRole('button', { name: 'Show access token' }))
  expect(token.getAttribute('type')).toBe('text')
  await userEvent.click(screen.getByRole('button', { name: /Test Connection/ }))
  expect(await screen.findByText('Invalid OAuth access token - Cannot parse access token')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }))
  expect(await screen.findByText('The credentials are saved.')).toBeTruthy()
  expect(screen.getByLabelText('Access Token')).toHaveProperty('value', '')
  expect(screen.getByText(/It ends in yped/)).toBeTruthy()
  const saved = server.calls.findLast(({ method }) => method === 'PATCH')
  expect(JSON.parse(saved?.body ?? '')).toMatchObject({ accessToken: 'EAAG-a-token-that-was-just-typed' })
})

test('a new verify token is shown until the page is left', async () => {
  await openSettings()
  const before = (await screen.findByLabelText('Verify Token')).getAttribute('value')
  expect(before).toMatch(/^•+4f60$/)
  await userEvent.click(screen.getByRole('button', { name: 'Regenerate Token' }))
  expect(await screen.findByText('Copy the new token now: it is not shown again.')).toBeTruthy()
  expect(screen.getByLabelText('Verify Token').getAttribute('value')).toMatch(/^sample-/)
  expect(screen.getByRole('button', { name: 'Copy verify token' })).toBeTruthy()
})

test('notifications are on, on, on and off, and a switch counts at once', async () => {
  await openSettings('?tab=notifications')
  const panel = within(await screen.findByRole('tabpanel', { name: 'Notifications' }))
  const switches = await panel.findAllByRole('switch')
  expect(switches.map((item) => item.getAttribute('aria-checked'))).toEqual(['true', 'true', 'true', 'false'])
  await userEvent.click(panel.getByRole('switch', { name: 'Weekly Reports' }))
  expect(panel.getByRole('switch', { name: 'Weekly Reports' }).getAttribute('aria-checked')).toBe('true')
})

test('the plan of the sample data is named so, beside the trial that the workspace is on', async () => {
  await openSettings('?tab=billing&plans=1')
  const panel = within(await screen.findByRole('tabpanel', { name: 'Billing' }))
  expect((await panel.findByText('Professional')).textContent).toContain('Sample data')
  expect(panel.getByText('Professional, its price and its quota are sample data.')).toBeTruthy()
  expect(panel.getByText(/This workspace is on the Free Trial, which ends on /)).toBeTruthy()
  expect(panel.getByText('7,234 of them are sample data')).toBeTruthy()
  expect(panel.getByText('6,580 of them are sample data')).toBeTruthy()
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('Your plan').closest('li')?.textContent).toContain('Free Trial')
})

test('billing shows the plan, its price and what is used of it', async () => {
  await openSettings('?tab=billing')
  const panel = within(await screen.findByRole('tabpanel', { name: 'Billing' }))
  for (const text of ['Professional', 'Active', '$99/month', '10,000/month', '7,234 of 10,000 sent', '2,766 remaining'])
    expect(await panel.findByText(text)).toBeTruthy()
  expect(panel.getByText('72%')).toBeTruthy()
  expect(panel.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('7234')
  const credits = await panel.findByRole('region', { name: 'Credits' })
  expect(await within(credits).findByText('18,420')).toBeTruthy()
  expect(within(credits).getByText('6,580').previousSibling?.textContent).toBe('Used')
  await userEvent.click(panel.getByRole('button', { name: 'Upgrade Plan' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByText('Nothing is charged.')).toBeTruthy()
  expect(dialog.getByText('₹2,999')).toBeTruthy()
  // The trial is over once, and Pro is arranged.
  expect(dialog.getAllByRole('button', { name: /^Choose/ }).map(({ textContent }) => textContent)).toEqual([
    'Choose Starter',
    'Choose Growth',
  ])
})

test('managing the billing opens the periods with what was used in each', async () => {
  await openSettings('?tab=billing')
  const panel = within(await screen.findByRole('tabpanel', { name: 'Billing' }))
  await userEvent.click(await panel.findByRole('button', { name: 'Manage Billing' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Billing Periods' }))
  expect(await dialog.findByText(/Parley takes no payments here/)).toBeTruthy()
  const rows = (await dialog.findAllByRole('row')).slice(1).map(({ textContent }) => textContent)
  expect(rows).toEqual([
    expect.stringMatching(/ – now.+\/month · Entries \(CSV\)7,2346,580$/),
    expect.stringMatching(/Plan not recorded · Entries \(CSV\)340120$/),
  ])
  const [file] = dialog.getAllByRole('link', { name: /^Entries from .* as CSV$/ })
  expect(file?.getAttribute('href')).toMatch(/^\/api\/billing\/entries\.csv\?from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/)
})

const meter = (limit: number, used: number, held = 0) => ({ limit, used, held, left: Math.max(0, limit - used - held) })
const growth = {
  plan: 'Growth',
  planId: 'growth',
  price: { amount: 2_999_00, currency: 'INR' },
  choosable: true,
  from: '2026-11-09',
  to: '2026-12-09',
  endsAt: '2026-12-08T18:30:00Z',
  renews: true,
  ended: false,
  limited: true,
  messages: meter(100_000, 7_234),
  credits: meter(100_000, 6_580),
}

test('the owner chooses a plan, and what it allows is shown at once', async () => {
  const server = await openSettings('?tab=billing&plans=1')
  server.answer('POST /api/billing/plan', () => {
    server.answer('GET /api/usage', () => ({ json: growth }))
    return { json: growth }
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Choose Growth' }))
  expect(await screen.findByText('This workspace is on Growth now.')).toBeTruthy()
  const panel = within(await screen.findByRole('tabpanel', { name: 'Billing' }))
  for (const text of ['₹2,999/month', '100,000/month', '7,234 of 100,000 sent'])
    expect(panel.getByText(text)).toBeTruthy()
  const chosen = server.calls.filter(({ method, path }) => method === 'POST' && path === '/api/billing/plan')
  expect(chosen.map(({ body }) => body)).toEqual([JSON.stringify({ plan: 'growth' })])
})

test('a smaller plan that follows is told, and taken back', async () => {
  const server = stubServer(signedInServer())
  const follows = { ...growth, next: { plan: 'Starter', from: '2026-12-09' } }
  server.answer('GET /api/usage', () => ({ json: follows }))
  server.answer('DELETE /api/billing/plan', () => {
    server.answer('GET /api/usage', () => ({ json: growth }))
    return { json: growth }
  })
  await openApp('/settings?tab=billing')
  expect(await screen.findByText(/^Starter starts on /)).toBeTruthy()
  await userEvent.click(await screen.findByRole('button', { name: 'Keep Growth' }))
  await waitFor(() => expect(screen.queryByText(/^Starter starts on /)).toBeNull())
})

test.each([
  [{ messages: meter(10_000, 10_024) }, '24 over plan'],
  [{ messages: meter(10_000, 6_000, 1_500) }, '2,500 remaining, 1,500 held by campaigns'],
])('what is over the plan, or held, is said', async (over, words) => {
  const server = stubServer(signedInServer())
  server.answer('GET /api/usage', () => ({ json: { ...growth, ...over } }))
  await openApp('/settings?tab=billing')
  expect(await screen.findByText(words)).toBeTruthy()
})

test('without limits nothing is measured against them, and nobody chooses a plan who may not', async () => {
  const server = stubServer(signedInServer())
  server.answer('GET /api/usage', () => ({ json: { ...growth, limited: false, choosable: false } }))
  await openApp('/settings?tab=billing&plans=1')
  const panel = within(await screen.findByRole('tabpanel', { name: 'Billing' }))
  expect((await panel.findAllByText('No limit')).length).toBe(2)
  expect(panel.getByText('7,234 sent')).toBeTruthy()
  expect(panel.queryByRole('progressbar')).toBeNull()
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('Only Parley’s support can change the plan.')).toBeTruthy()
  expect(dialog.queryByRole('button', { name: /^Choose/ })).toBeNull()
})
