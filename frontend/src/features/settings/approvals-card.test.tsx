import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { signedInServer, stubServer, userWithRole } from '../../testing/stub-server.ts'

test('an owner sets from how many recipients on a campaign needs an approval', async () => {
  const server = stubServer({ ...signedInServer(), 'GET /api/auth/user': () => userWithRole('owner') })
  await openApp('/settings?tab=account')
  const card = within(await screen.findByRole('region', { name: 'Approvals' }))
  await userEvent.click(await card.findByRole('switch', { name: 'Large campaigns need an approval' }))
  await userEvent.click(card.getByRole('button', { name: 'Save Approvals' }))
  expect(await card.findByText('Enter a number.')).toBeTruthy()
  await userEvent.type(card.getByRole('spinbutton', { name: 'More recipients than' }), '500')
  await userEvent.click(card.getByRole('button', { name: 'Save Approvals' }))
  expect(await screen.findByText('The rule is saved.')).toBeTruthy()
  const put = server.calls.findLast(({ method }) => method === 'PUT')
  expect([put?.path, JSON.parse(put?.body ?? '')]).toEqual([
    '/api/workspace/approvals',
    { campaignRecipients: 500, version: 0 },
  ])
})

test('an admin sees the rule, and what waits for a decision', async () => {
  const server = stubServer({ ...signedInServer(), 'GET /api/auth/user': () => userWithRole('admin') })
  server.answer('GET /api/workspace/approvals', () => ({ json: { campaignRecipients: 500, version: 1 } }))
  const times = { askedAt: '2026-11-24T09:00:00.000Z', expiresAt: '2026-11-27T09:00:00.000Z' }
  const about = { campaignId: 'c'.repeat(24), campaignName: 'Spring tea', recipients: 1200, note: '' }
  server.answer('GET /api/approvals', () => ({
    json: { items: [{ id: 'a'.repeat(24), state: 'pending', askedBy: 'user-1', ...about, ...times }] },
  }))
  await openApp('/settings?tab=account')
  const card = within(await screen.findByRole('region', { name: 'Approvals' }))
  expect(await card.findByText(/more than 500 recipients need an approval\. An owner can change that/)).toBeTruthy()
  const link = await card.findByRole('link', { name: 'Spring tea' })
  expect(link.getAttribute('href')).toBe(`/broadcasts?draft=${about.campaignId}&step=review`)
  expect(card.queryByRole('button', { name: 'Save Approvals' })).toBeNull()
})
