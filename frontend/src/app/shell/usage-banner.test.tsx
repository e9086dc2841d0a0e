import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { signedInServer, stubServer, userWithRole } from '../../testing/stub-server.ts'
import { bannerText } from './usage-banner.tsx'

const meter = (used: number, limit = 1000) => ({ limit, used, held: 0, left: Math.max(0, limit - used) })
const usageWith = (used: number, over: object = {}) => ({
  plan: 'Starter',
  planId: 'starter' as const,
  price: { amount: 999_00, currency: 'INR' },
  choosable: true,
  from: '2026-11-09',
  to: '2026-12-09',
  endsAt: '2026-12-08T18:30:00Z',
  renews: true,
  ended: false,
  limited: true,
  messages: meter(used),
  credits: meter(0),
  ...over,
})

test.each([
  [usageWith(931), '93% of the plan’s messages are used: 69 are left until Dec 9, 2026.'],
  [
    usageWith(1004),
    'All 1,000 messages in the plan until Dec 9, 2026 are used up. Campaigns cannot start. Replies to customers are always sent.',
  ],
  [
    usageWith(3, { ended: true }),
    'The free trial ended on Dec 9, 2026. Campaigns cannot start. Replies to customers are always sent.',
  ],
])('the banner says what is used, what that stops and what goes on', (usage, text) => {
  expect(bannerText(usage)).toBe(text)
})

async function openWith(used: number, role = 'owner') {
  const server = stubServer(signedInServer())
  server.answer('GET /api/auth/user', () => userWithRole(role))
  server.answer('GET /api/usage', () => ({ json: usageWith(used) }))
  await openApp('/templates')
  await screen.findByRole('heading', { level: 1, name: 'Templates' })
  await waitFor(() => expect(server.calls.some(({ path }) => path === '/api/usage')).toBe(true))
  return server
}

test('from 90 percent on it stands on every screen, with the way to the plan', async () => {
  await openWith(900)
  const banner = within(await screen.findByRole('region', { name: 'Plan' }))
  expect(banner.getByText(/^90% of the plan’s messages are used: 100 are left/)).toBeTruthy()
  expect(banner.getByRole('link', { name: 'See the plan' }).getAttribute('href')).toBe('/settings?tab=billing')
})

test('figures of the sample data raise none', async () => {
  const server = stubServer(signedInServer())
  server.answer('GET /api/auth/user', () => userWithRole('owner'))
  server.answer('GET /api/usage', () => ({ json: usageWith(950, { sample: { credits: 0, messages: 900 } }) }))
  await openApp('/settings?tab=billing')
  expect(await screen.findByText('900 of them are sample data')).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Plan' })).toBeNull()
})

test('who cannot send campaigns is not told', async () => {
  await openWith(950, 'agent')
  expect(screen.queryByRole('region', { name: 'Plan' })).toBeNull()
})

test('below 90 percent there is none', async () => {
  await openWith(899)
  expect(screen.queryByRole('region', { name: 'Plan' })).toBeNull()
})
