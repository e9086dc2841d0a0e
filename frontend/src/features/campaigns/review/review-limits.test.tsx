import type { CampaignReview } from '@parley/contracts/campaigns/campaign-drafts'
import type { DraftFields } from '@parley/contracts/campaigns/campaign-fields'
import type { Usage } from '@parley/contracts/usage/usage'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { draftId, draftServer, finishedFields } from '../../../testing/draft-server.ts'
import { openApp } from '../../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../../testing/stub-server.ts'
import { reviewOf } from '../../../testing/workspace/campaigns.ts'

const button = (name = 'Send now') => screen.findByRole('button', { name })
const region = async (name: string) => within(await screen.findByRole('region', { name }))
const rowsOf = (name: string) =>
  [...screen.getByRole('region', { name }).querySelectorAll('dl > div')].map(({ textContent }) => textContent)

async function openReview(answer: () => CampaignReview, fields: DraftFields = finishedFields) {
  const server = stubServer(signedInServer())
  const draft = draftServer(server, fields)
  draft.review(answer)
  await openApp(`/broadcasts?draft=${draftId}&step=review`)
  return { server, draft }
}

test('a review warns where the number may write first to fewer customers than the campaign is for', async () => {
  await openReview(() => reviewOf({}, 10_001))
  expect(
    await screen.findByText(/start conversations with 10,000 customers in 24 hours, and this campaign is for 10,001/),
  ).toBeTruthy()
  // It is a warning: sending is up to the person.
  expect(await button()).toHaveProperty('disabled', false)
})

test('a review shows what is left of the plan in the period in which it starts', async () => {
  const at = { date: `${new Date().getFullYear() + 1}-03-14`, time: '10:00' }
  const { server } = await openReview(() => reviewOf({}, 51), { ...finishedFields, schedule: at })
  const credits = { limit: 25_000, used: 24_000, held: 950, left: 50 }
  const usage: Usage = {
    plan: 'Starter',
    price: { amount: 0, currency: 'INR' },
    choosable: true,
    from: '2026-11-09',
    to: '2026-12-09',
    endsAt: '2026-12-08T18:30:00.000Z',
    credits,
    messages: { ...credits, left: 90 },
    renews: true,
    ended: false,
    limited: true,
  }
  server.answer('GET /api/usage', () => ({ json: usage }))
  await openApp(`/broadcasts?draft=${draftId}&step=review`)
  await screen.findByText('Ready to send')
  const quota = await region('Quota')
  await waitFor(() =>
    expect(rowsOf('Quota')).toEqual([
      'This campaign needs51',
      'Starter allows25,000',
      'Used24,000',
      'Held by campaigns950',
      'Left50',
    ]),
  )
  expect(quota.getByText('Renewed on Dec 9, 2026.')).toBeTruthy()
  expect(await button('Schedule campaign')).toHaveProperty('disabled', false)
})
