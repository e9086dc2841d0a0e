import { expect, test } from 'vitest'
import { priceOf, type Rate, rateCardsApi, sumOf } from './rate-cards.ts'

const rates: Rate[] = [
  { country: 'IN', category: 'marketing', priceMicros: 882_500 },
  { country: 'IN', category: 'utility', priceMicros: 0 },
  { country: 'other', category: 'marketing', priceMicros: 5_000_000 },
]

test('a country has its own price, else that of all others; what has none is not guessed', () => {
  expect(priceOf(rates, 'IN', 'marketing')).toBe(882_500)
  expect(priceOf(rates, 'DE', 'marketing')).toBe(5_000_000)
  // A price of zero is a price.
  expect(priceOf(rates, 'IN', 'utility')).toBe(0)
  expect(priceOf(rates, 'DE', 'utility')).toBeUndefined()
  expect(priceOf(rates, null, 'marketing')).toBeUndefined()
})

test('replies have a price, and what is billed as a part of a category has that of the category unless it has its own', () => {
  const service: Rate = { country: 'IN', category: 'service', priceMicros: 115_000 }
  const codes: Rate = { country: 'IN', category: 'authentication', priceMicros: 129_000 }
  expect(
    rateCardsApi.create.body.safeParse({ effectiveFrom: '2026-12-01', currency: 'INR', rates: [service] }).success,
  ).toBe(true)
  expect(priceOf([service], 'IN', 'service')).toBe(115_000)
  expect(priceOf(rates, 'IN', 'marketing_lite')).toBe(882_500)
  for (const billed of ['authentication_international', 'authentication-international']) {
    expect(priceOf([codes], 'IN', billed)).toBe(129_000)
    const own: Rate = { country: 'other', category: 'authentication_international', priceMicros: 2_300_000 }
    expect(priceOf([codes, own], 'IN', billed)).toBe(2_300_000)
  }
  expect(priceOf([codes], 'IN', 'service')).toBeUndefined()
})

test('sums are exact, whatever has no price is counted', () => {
  const lines = [
    { country: 'IN', count: 1_000_000, priceMicros: 882_500 },
    { country: 'DE', count: 3, priceMicros: 1 },
    { country: 'FR', count: 4, priceMicros: 0 },
    { country: null, count: 7, priceMicros: null },
  ]
  expect(sumOf(lines)).toEqual({ micros: 882_500_000_003, unpriced: 7 })
  expect(sumOf([])).toEqual({ micros: 0, unpriced: 0 })
})

test('a card with two prices for one thing is refused', () => {
  const { body } = rateCardsApi.create
  const card = { effectiveFrom: '2026-12-01', currency: 'INR' }
  expect(body.safeParse({ ...card, rates }).success).toBe(true)
  expect(body.safeParse({ ...card, rates: [...rates, ...rates] }).success).toBe(false)
  for (const wrong of [
    { ...card, rates: [] },
    { ...card, currency: 'rupees', rates },
    { ...card, effectiveFrom: '2026-13-01', rates },
    { ...card, rates: [{ country: 'India', category: 'marketing', priceMicros: 1 }] },
    { ...card, rates: [{ country: 'IN', category: 'marketing', priceMicros: -1 }] },
    { ...card, rates: [{ country: 'IN', category: 'marketing', priceMicros: 0.5 }] },
  ])
    expect(body.safeParse(wrong).success).toBe(false)
})
