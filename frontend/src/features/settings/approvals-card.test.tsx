import { type Approval, defaultApprovalRules } from '@parley/contracts/platform/approvals'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { signedInServer, stubServer, userWithRole } from '../../testing/stub-server.ts'

test('an owner sets which actions need an approval', async () => {
  const server = stubServer({ ...signedInServer(), 'GET /api/auth/user': () => userWithRole('owner') })
  await openApp('/settings?tab=account')
  const card = within(await screen.findByRole('region', { name: 'Approvals' }))
  await userEvent.click(await card.findByRole('switch', { name: 'Large campaigns need an approval' }))
  await userEvent.click(card.getByRole('button', { name: 'Save Approvals' }))
  expect(await card.findByText('Enter a number.')).toBeTruthy()
  await userEvent.type(card.getByRole('spinbutton', { name: 'More recipients than' }), '500')
  await userEvent.click(card.getByRole('switch', { name: 'Deleting a number needs an approval' }))
  await userEvent.click(card.getByRole('button', { name: 'Save Approvals' }))
  expect(await screen.findByText('The rule is saved.')).toBeTruthy()
  const put = server.calls.findLast(({ method }) => method === 'PUT')
  expect([put?.path, JSON.parse(put?.body ?? '')]).toEqual([
    '/api/workspace/approvals',
    { ...defaultApprovalRules, campaignRecipients: 500, numberRemoval: true },
  ])
})

const times = { askedAt: '2026-11-24T09:00:00.000Z', expiresAt: '2026-11-27T09:00:00.000Z' }
const exported: Approval['subject'] & { kind: 'contact_export' } = {
  kind: 'contact_export',
  selection: { filter: { tags: ['vip'] } },
  format: 'csv',
  contacts: 1200,
  filter: 'Tag vip',
}
const request = (over: Partial<Approval>): Approval => ({
  id: 'a'.repeat(24),
  state: 'pending',
  subject: exported,
  askedBy: 'user-2',
  note: '',
  ...times,
  ...over,
})

async function openRequests(items: Approval[]) {
  const server = stubServer({ ...signedInServer(), 'GET /api/auth/user': () => userWithRole('admin') })
  const rules = { ...defaultApprovalRules, campaignRecipients: 500, exportedContacts: 1000, version: 1 }
  server.answer('GET /api/workspace/approvals', () => ({ json: rules }))
  server.answer('GET /api/approvals', () => ({ json: { items } }))
  await openApp('/settings?tab=account')
  return { server, card: within(await screen.findByRole('region', { name: 'Approvals' })) }
}

test('an admin sees the rules, and decides on a request in words', async () => {
  const campaign = { kind: 'campaign', campaignId: 'c'.repeat(24), name: 'Spring tea', recipients: 1200 } as const
  const { server, card } = await openRequests([request({}), request({ id: 'b'.repeat(24), subject: campaign })])
  expect(await card.findByText('Exports of more than 1,000 contacts')).toBeTruthy()
  expect(card.queryByRole('button', { name: 'Save Approvals' })).toBeNull()
  const link = await card.findByRole('link', { name: 'Spring tea' })
  expect(link.getAttribute('href')).toBe(`/broadcasts?draft=${campaign.campaignId}&step=review`)
  expect(card.getByText('Export 1,200 contacts: Tag vip')).toBeTruthy()
  server.answer(`POST /api/approvals/${'a'.repeat(24)}/decision`, () => ({ json: request({ state: 'approved' }) }))
  await userEvent.click(card.getByRole('button', { name: 'Approve' }))
  await waitFor(() => expect(server.calls.some(({ path }) => path.endsWith('/decision'))).toBe(true))
})

test('what was approved is done from its request', async () => {
  const { server, card } = await openRequests([request({ state: 'approved', askedBy: 'user-1', decidedBy: 'user-2' })])
  await userEvent.click(await card.findByRole('button', { name: 'Export Now' }))
  await waitFor(() => {
    const post = server.calls.find(({ method, path }) => method === 'POST' && path === '/api/contact-jobs/exports')
    expect(JSON.parse(post?.body ?? '{}')).toMatchObject({ selection: exported.selection, format: 'csv' })
  })
})
