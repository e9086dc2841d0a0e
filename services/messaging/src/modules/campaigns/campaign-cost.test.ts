import { sumOf } from '@parley/contracts/usage/rate-cards'
import { expect, test } from 'vitest'
import type { UsageGroup } from '../usage/ledger/usage.ts'
import { chargedFor } from './campaign-cost.ts'

const rate = (country: string, priceMicros: number) => ({ country, category: 'marketing' as const, priceMicros })
const card = (currency: string, ...rates: ReturnType<typeof rate>[]) => ({ begins: new Date(0), currency, rates })
const group = (over: Partial<UsageGroup>): UsageGroup => ({
  country: 'IN',
  category: 'marketing',
  billable: true,
  period: 1,
  count: 1,
  ...over,
})

test('each period has its prices, currencies are not added up, and equal prices are one line', () => {
  const cards = [
    card('INR', rate('IN', 882_500), rate('DE', 9_000_001)),
    card('INR', rate('IN', 882_500), rate('DE', 9_500_000)),
    card('USD', rate('IN', 10_700), rate('DE', 9_000_001)),
  ]
  const groups = [
    group({ period: 1, count: 3 }),
    group({ period: 2, count: 4 }),
    group({ period: 3, count: 2 }),
    group({ country: 'DE', period: 1, count: 3 }),
    group({ country: 'DE', period: 2 }),
  ]
  expect(chargedFor(groups, cards)).toEqual({
    charged: [
      // 7 × 0.8825 + 3 × 9.000001 + 9.5: no line is rounded before they are added up.
      { currency: 'INR', micros: 42_677_503 },
      { currency: 'USD', micros: 21_400 },
    ],
    lines: [
      { country: 'IN', category: 'marketing', count: 7, charge: inr(882_500, 6_177_500) },
      { country: 'DE', category: 'marketing', count: 3, charge: inr(9_000_001, 27_000_003) },
      {
        country: 'IN',
        category: 'marketing',
        count: 2,
        charge: { currency: 'USD', priceMicros: 10_700, micros: 21_400 },
      },
      { country: 'DE', category: 'marketing', count: 1, charge: inr(9_500_000, 9_500_000) },
    ],
    unpriced: 0,
    free: 0,
  })
})
const inr = (priceMicros: number, micros: number) => ({ currency: 'INR', priceMicros, micros })

test('whatever has no price is counted, and what is not billable is free whatever its price', () => {
  const groups = [
    group({ period: 0, count: 2 }),
    group({ category: 'service', count: 3 }),
    group({ country: null, count: 5 }),
    group({ country: 'BR', count: 7 }),
    group({ billable: false, count: 11 }),
    group({ category: 'referral_conversion', billable: false, country: null, count: 13 }),
  ]
  const { charged, lines, unpriced, free } = chargedFor(groups, [card('INR', rate('IN', 0))])
  expect({ charged, unpriced, free }).toEqual({ charged: [], unpriced: 17, free: 24 })
  expect(lines.map(({ count, charge }) => [count, charge])).toEqual([7, 5, 3, 2].map((count) => [count, null]))
})

test('a price of nothing is a price', () =>
  expect(chargedFor([group({ count: 4 })], [card('INR', rate('IN', 0))])).toMatchObject({
    charged: [{ currency: 'INR', micros: 0 }],
    unpriced: 0,
  }))

test('when everybody was reached at the prices that were planned with, the sum is the one that was planned', () => {
  const rates = [rate('IN', 882_501), rate('other', 1)]
  const counts = [
    ['IN', 1001],
    ['DE', 3],
    [null, 2],
  ] as const
  const planned = sumOf(
    counts.map(([country, count]) => ({
      country,
      count,
      priceMicros: country === null ? null : country === 'IN' ? 882_501 : 1,
    })),
  )
  const { charged, unpriced } = chargedFor(
    counts.map(([country, count]) => group({ country, count })),
    [card('INR', ...rates)],
  )
  expect({ micros: charged[0]?.micros, unpriced }).toEqual(planned)
})
