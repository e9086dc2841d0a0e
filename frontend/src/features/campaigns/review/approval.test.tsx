import { type Approval, defaultApprovalRules } from '@parley/contracts/platform/approvals'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { draftId, draftServer, finishedFields } from '../../../testing/draft-server.ts'
import { openApp } from '../../../testing/open-app.tsx'
import { signedInServer, stubServer, userWithRole } from '../../../testing/stub-server.ts'
import { reviewOf } from '../../../testing/workspace/campaigns.ts'

const button = (name: string) => screen.findByRole('button', { name })
const request = (over: Partial<Approval> = {}): Approval => ({
  id: 'a'.repeat(24),
  state: 'pending',
  subject: { kind: 'campaign', campaignId: draftId, name: 'Weekend offer', recipients: 38 },
  askedBy: 'user-1',
  askedAt: '2026-11-24T09:00:00.000Z',
  note: 'For the fair',
  expiresAt: '2026-11-27T09:00:00.000Z',
  ...over,
})

async function openReview(first: Approval | null) {
  const server = stubServer({ ...signedInServer(), 'GET /api/auth/user': () => userWithRole('owner') })
  const draft = draftServer(server, finishedFields)
  draft.review(() => reviewOf({ counts: { ...reviewOf().counts, recipients: 38 } }))
  let approval = first
  server.answer('GET /api/workspace/approvals', () => ({
    json: { ...defaultApprovalRules, campaignRecipients: 30, version: 1 },
  }))
  server.answer(`GET ${draft.path}/approval`, () => ({ json: { approval } }))
  const becomes = (next: Approval) => {
    approval = next
    return { json: next }
  }
  server.answer(`POST ${draft.path}/approval`, () => ({ status: 201, ...becomes(request()) }))
  server.answer(`POST /api/approvals/${request().id}/decision`, ({ body }) =>
    becomes(request({ askedBy: 'user-2', decidedBy: 'user-1', ...decided(JSON.parse(body ?? '')) })),
  )
  await openApp(`/broadcasts?draft=${draftId}&step=review`)
  return server
}
const decided = ({ decision, reason }: { decision: string; reason?: string }): Partial<Approval> =>
  decision === 'approve' ? { state: 'approved' } : { state: 'declined', ...(reason !== undefined && { reason }) }

test('a large campaign is not sent but asked for, with a message', async () => {
  const server = await openReview(null)
  const part = within(await screen.findByRole('region', { name: 'Approval' }))
  expect(await screen.findByText('Needs an approval')).toBeTruthy()
  expect(await button('Send now')).toHaveProperty('disabled', true)
  await userEvent.type(part.getByRole('textbox', { name: /^Message/ }), 'For the fair')
  await userEvent.click(part.getByRole('button', { name: 'Ask for Approval' }))
  expect(await part.findByText(/asked on .*“For the fair”/)).toBeTruthy()
  // One's own request is for another member.
  expect(part.queryByRole('button', { name: 'Approve' })).toBeNull()
  const sent = server.calls.findLast(({ path }) => path.endsWith('/approval'))
  expect(sent?.method === 'POST' ? JSON.parse(sent.body ?? '').note : 'For the fair').toBe('For the fair')
  expect(await button('Send now')).toHaveProperty('disabled', true)
})

test('another member declines with a reason, or approves, and then it can be sent', async () => {
  await openReview(request({ askedBy: 'user-2' }))
  const part = within(await screen.findByRole('region', { name: 'Approval' }))
  await userEvent.click(await part.findByRole('button', { name: 'Decline…' }))
  await userEvent.click(part.getByRole('button', { name: 'Decline' }))
  expect(await part.findByText('Say why.')).toBeTruthy()
  await userEvent.type(part.getByRole('textbox', { name: 'Reason' }), 'Wait for June')
  await userEvent.click(part.getByRole('button', { name: 'Decline' }))
  expect(await part.findByText(/has declined it: “Wait for June”/)).toBeTruthy()
  expect(await button('Send now')).toHaveProperty('disabled', true)
})

test('once approved it can be sent', async () => {
  await openReview(request({ askedBy: 'user-2' }))
  const part = within(await screen.findByRole('region', { name: 'Approval' }))
  await userEvent.click(await part.findByRole('button', { name: 'Approve' }))
  expect(await part.findByText(/has approved it/)).toBeTruthy()
  expect(await screen.findByText('Ready to send')).toBeTruthy()
  expect(await button('Send now')).toHaveProperty('disabled', false)
})
