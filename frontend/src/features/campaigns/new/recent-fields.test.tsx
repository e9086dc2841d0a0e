import { nobodyExcluded } from '@parley/contracts/campaigns/campaigns'
import { defaultConsentSettings } from '@parley/contracts/contacts/consent'
import { createSampleDataset } from '@parley/sample/sample-dataset'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { signedInServer, stubEvents, stubServer } from '../../../testing/stub-server.ts'

test('whoever had marketing recently is left out: a bad number is said, and numbers, review and details tell it', async () => {
  const server = stubServer(signedInServer())
  await openApp('/broadcasts?new=1&template=template-2')
  const counts = (recentlyMessaged: number) => {
    const excluded = { ...nobodyExcluded, recentlyMessaged }
    return { json: { audience: 41, excluded, reachable: 41 - recentlyMessaged } }
  }
  server.answer('POST /api/campaigns/preview', ({ body }) => counts(JSON.parse(body ?? '').recentDays ?? 0))
  await userEvent.type(await screen.findByLabelText('Campaign name'), 'Spring tea')
  await userEvent.click(await screen.findByRole('radio', { name: /VIP/ }))
  expect(screen.queryByLabelText('In the last days')).toBeNull()
  const rule = screen.getByRole('switch', { name: 'Leave out contacts who got marketing recently' })
  rule.focus()
  await userEvent.keyboard(' ')
  const days = await screen.findByLabelText('In the last days')
  expect(days).toHaveProperty('value', '7')
  await userEvent.clear(days)
  await userEvent.type(days, '91')
  const next = () => userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  await next()
  expect(await screen.findByText('Enter a whole number from 1 to 90')).toBeTruthy()
  expect(days.getAttribute('aria-invalid')).toBe('true')
  await userEvent.clear(days)
  await userEvent.type(days, '14')
  const reach = within(screen.getByRole('region', { name: 'Reach' }))
  const leftOut = () => reach.getByText('Left out: got marketing recently').nextSibling?.textContent
  await waitFor(() => expect(leftOut()).toBe('14'))
  await next()
  expect(await screen.findByLabelText('Fallback for {{first_name}}')).toBeTruthy()
  await next()
  expect(await screen.findByText('Send from')).toBeTruthy()
  await next()
  expect(await screen.findByText('Leaves out contacts who got marketing in the last 14 days')).toBeTruthy()
  await waitFor(() => {
    const { body } =
      server.calls.findLast(({ path, body }) => body && /^\/api\/campaigns(\/draft-\d+)?$/.test(path)) ?? {}
    expect(JSON.parse(body ?? '{}')).toMatchObject({ name: 'Spring tea', recentDays: 14 })
  })

  const sale = createSampleDataset({ now: new Date() }).campaigns.get('campaign-1')
  const excluded = { ...sale?.counts.excluded, recentlyMessaged: 4 }
  const shown = { ...sale, recentDays: 14, counts: { ...sale?.counts, excluded } }
  server.answer('GET /api/campaigns/campaign-1', () => ({ json: shown }))
  await openApp('/broadcasts?id=campaign-1')
  const details = within(await screen.findByRole('dialog', { name: 'Summer sale' }))
  expect(await details.findByText('Leaves out contacts who got marketing in the last 14 days.')).toBeTruthy()
  expect(details.getByRole('button', { name: '4 got marketing recently' })).toBeTruthy()
  const { id: _, counts: __, ...earlier } = shown
  const audience = { kind: 'campaign', campaignId: 'campaign-1', missed: 'not_read' }
  const again = { ...earlier, id: 'draft-again', status: 'draft', audience, earlierName: 'Summer sale' }
  server.answer('POST /api/campaigns/campaign-1/retry', () => ({ status: 201, json: again }))
  server.answer('GET /api/campaigns/draft-again', () => ({ json: again }))
  await userEvent.click(details.getByRole('button', { name: 'Send again to…' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: /^Delivered, not read/ }))
  expect(await screen.findByLabelText('In the last days')).toHaveProperty('value', '14')
  expect(screen.getByText(/^The earlier campaign counts too/)).toBeTruthy()
})

test('a new broadcast begins with the rule of the workspace, which stays off once it is switched off', async () => {
  const events = stubEvents()
  const server = stubServer({ ...signedInServer(), 'GET /api/events': () => events.response() })
  const usually = (recentDays: number, version: number) =>
    server.answer('GET /api/consent/settings', () => ({ json: { ...defaultConsentSettings, recentDays, version } }))
  usually(30, 1)
  await openApp('/broadcasts?new=1')
  expect(await screen.findByLabelText('In the last days')).toHaveProperty('value', '30')
  await userEvent.click(screen.getByRole('switch', { name: 'Leave out contacts who got marketing recently' }))
  expect(screen.queryByLabelText('In the last days')).toBeNull()
  const { queryClient } = await import('../../../lib/query-client.ts')
  await waitFor(() => expect(events.readers()).toBe(1))
  usually(14, 2)
  const asked = server.count('GET /api/consent/settings')
  events.send('reset', {})
  await waitFor(() => expect(server.count('GET /api/consent/settings')).toBe(asked + 1))
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  expect(screen.queryByLabelText('In the last days')).toBeNull()
})
