import type { CampaignCost } from '@parley/contracts/campaigns/campaign-cost'
import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import { createSampleDataset } from '@parley/sample/sample-dataset'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router-dom'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { errorOf, signedInServer, stubServer } from '../../../testing/stub-server.ts'
import { CampaignCostPart } from './campaign-cost.tsx'

const path = 'GET /api/campaigns/campaign-1/cost'
const nothing: CampaignCost = {
  planned: null,
  charged: [],
  lines: [],
  unpriced: 0,
  free: 0,
  unrecorded: 0,
  hasPrices: true,
}

/** The part alone, of a campaign that was delivered so often. */
function show(answer: () => object, delivered = 0) {
  const server = stubServer({ [path]: answer })
  const campaign = createSampleDataset({ now: new Date() }).campaigns.get('campaign-1') as Campaign
  render(
    <MemoryRouter>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <CampaignCostPart campaign={{ ...campaign, counts: { ...campaign.counts, delivered } }} />
      </QueryClientProvider>
    </MemoryRouter>,
  )
  return { server, part: within(screen.getByRole('region', { name: 'Cost' })) }
}
const figures = () => [...screen.getByRole('region', { name: 'Cost' }).querySelectorAll('dd')].map(textOf)
const textOf = ({ textContent }: Element) => textContent
const rows = () => [...document.querySelectorAll('[aria-labelledby="campaign-cost"] details dl > div')].map(textOf)

test('what was planned stands beside what was charged, currency by currency, and opens by country', async () => {
  const server = stubServer(signedInServer())
  const cost: CampaignCost = {
    ...nothing,
    planned: { currency: 'INR', micros: 883_382_500, unpriced: 2 },
    charged: [
      { currency: 'INR', micros: 441_249_999 },
      { currency: 'USD', micros: 10_700 },
    ],
    lines: [
      {
        country: 'IN',
        category: 'marketing',
        count: 500,
        charge: { currency: 'INR', priceMicros: 882_500, micros: 441_249_999 },
      },
      {
        country: 'IN',
        category: 'marketing',
        count: 1,
        charge: { currency: 'USD', priceMicros: 10_700, micros: 10_700 },
      },
      { country: null, category: 'marketing_lite', count: 1, charge: null },
    ],
    unpriced: 1,
    free: 4,
  }
  server.answer(path, () => ({ json: cost }))
  await openApp('/broadcasts?id=campaign-1')
  const part = within(await screen.findByRole('region', { name: 'Cost' }))
  await part.findByText('Charged so far')
  expect(figures().slice(0, 2)).toEqual([
    '₹883.38, and 2 messages without a price',
    '₹441.25 and $0.01, and 1 message without a price',
  ])
  const opens = part.getByText('By country')
  expect(opens.closest('details')?.open).toBe(false)
  await userEvent.click(opens)
  expect(opens.closest('details')?.open).toBe(true)
  expect(rows()).toEqual([
    'India, marketing: 500 × ₹0.8825₹441.25',
    'India, marketing: 1 × $0.0107$0.01',
    'Unknown country, marketing lite: 1No price',
    'Free, as WhatsApp says: 4–',
  ])
  expect(
    part.getByText(/^Planned: the cost if everyone in the review .* Charged: messages that WhatsApp delivered/),
  ).toBeTruthy()
  expect(part.getByRole('link', { name: 'message prices' }).getAttribute('href')).toBe('/settings?tab=billing')
  expect(part.queryByText(/no record/)).toBeNull()
})

test('without prices it leads to where they are entered; what is not known is not shown as nothing', async () => {
  const lines = [{ country: 'IN', category: 'marketing', count: 7, charge: null }]
  const { part } = show(() => ({ json: { ...nothing, lines, unpriced: 7, unrecorded: 1, hasPrices: false } }))
  expect(await part.findByText(/^There are no message prices/)).toBeTruthy()
  expect(figures().slice(0, 2)).toEqual(['Not known', '7 messages without a price'])
  expect(part.getByRole('link', { name: 'Enter them in Settings' }).getAttribute('href')).toBe('/settings?tab=billing')
  expect(part.getByText(/^There is no record of whether WhatsApp charges for 1 delivered message\.$/)).toBeTruthy()
})

test.each([
  ['Nothing has been delivered yet', {}],
  ['Nothing: all of it was free', { free: 3 }],
  ['Not known', { unrecorded: 3 }],
  ['₹0.00', { charged: [{ currency: 'INR', micros: 0 }] }],
])('charged so far: %s', async (words, cost) => {
  show(() => ({ json: { ...nothing, ...cost } }))
  await waitFor(() => expect(figures()[1]).toBe(words))
})

test('it is added up again until it has all that the figures say was delivered, and no longer', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  let free = 1
  const { server } = show(() => ({ json: { ...nothing, free } }), 2)
  await waitFor(() => expect(server.count(path)).toBe(1))
  free = 2
  await vi.advanceTimersByTimeAsync(31_000)
  await waitFor(() => expect(server.count(path)).toBe(2))
  await vi.advanceTimersByTimeAsync(120_000)
  expect(server.count(path)).toBe(2)
})

test('a cost that cannot be added up can be tried again', async () => {
  const { part, server } = show(() => ({ status: 503, json: errorOf('service_unavailable', 'Try again shortly.') }))
  const again = await part.findByRole('button', { name: 'Try again' })
  server.answer(path, () => ({ json: nothing }))
  await userEvent.click(again)
  expect(await part.findByText('Nothing has been delivered yet')).toBeTruthy()
})
