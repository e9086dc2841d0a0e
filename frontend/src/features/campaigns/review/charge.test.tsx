import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router-dom'
import { expect, test } from 'vitest'
import { Charge } from './charge.tsx'

test('a campaign is priced country by country; whatever has no price is told beside the sum', () => {
  const card = { effectiveFrom: '2026-11-01', currency: 'INR' }
  const lines = [
    { country: 'IN', count: 1001, priceMicros: 882_500 },
    { country: 'DE', count: 3, priceMicros: 0 },
    { country: null, count: 2, priceMicros: null },
  ]
  render(<Charge cost={{ card, lines }} />)
  const words = screen.getByText('WhatsApp charges at most ₹883.38, and 2 messages more without a price')
  expect(words.closest('details')?.open).toBe(false)
  const rows = [...document.querySelectorAll('dl > div')].map(({ textContent }) => textContent)
  expect(rows).toEqual(['India: 1,001 × ₹0.8825₹883.38', 'Germany: 3 × ₹0.00₹0.00', 'Unknown country: 2No price'])
  expect(screen.getByText(/By your prices from Nov 1, 2026/)).toBeTruthy()
})

test('without prices it leads to where they are entered', () => {
  render(
    <MemoryRouter>
      <Charge cost={{ card: null, lines: [] }} />
    </MemoryRouter>,
  )
  const link = screen.getByRole('link', { name: 'enter your message prices' })
  expect(link.getAttribute('href')).toBe('/settings?tab=billing')
})
