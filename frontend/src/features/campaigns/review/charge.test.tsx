import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { errorOf, stubServer } from '../../../testing/stub-server.ts'
import { Charge } from './charge.tsx'

const path = 'POST /api/campaigns/cost'
const question = { audience: { kind: 'tags' as const, tags: ['vip'] }, templateId: 'template-1' }
const show = () =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Charge question={question} />
    </QueryClientProvider>,
  )

test('a campaign is priced country by country; whatever has no price is told beside the sum', async () => {
  const card = { effectiveFrom: '2026-11-01', currency: 'INR' }
  const lines = [
    { country: 'IN', count: 1001, priceMicros: 882_500 },
    { country: 'DE', count: 3, priceMicros: 0 },
    { country: null, count: 2, priceMicros: null },
  ]
  stubServer({ [path]: () => ({ json: { card, lines } }) })
  show()
  const words = await screen.findByText('WhatsApp charges at most ₹883.38, and 2 messages more without a price')
  expect(words.closest('details')?.open).toBe(false)
  const rows = [...document.querySelectorAll('dl > div')].map(({ textContent }) => textContent)
  expect(rows).toEqual(['India: 1,001 × ₹0.8825₹883.38', 'Germany: 3 × ₹0.00₹0.00', 'Unknown country: 2No price'])
  expect(screen.getByText(/By your prices from Nov 1, 2026/)).toBeTruthy()
})

test('a charge that cannot be computed can be tried again', async () => {
  stubServer({ [path]: () => ({ status: 503, json: errorOf('service_unavailable', 'Try again shortly.') }) })
  show()
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy()
})
