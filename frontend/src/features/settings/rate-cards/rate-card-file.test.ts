import { newRateCardSchema } from '@parley/contracts/usage/rate-cards'
import papa from 'papaparse'
import { expect, test } from 'vitest'
import { NotARateCard, ratesOf, readRateCard } from './rate-card-file.ts'

const rowsOf = (text: string) => papa.parse<string[]>(text).data

/** Begins as Meta's files do: notes, and a title that goes over two lines. */
const file = (lines: string, currency = '$US') => `Cost per message in ${currency}, effective July 1, 2026,,,,,
Note: rates may change each quarter.,,,,,,
Market,Currency,Marketing,Utility,Authentication,"Authentication-
International",Service
${lines}`

const read = (lines: string, currency?: string) => readRateCard(rowsOf(file(lines, currency)))

test('a market is a country or a group of countries; a country with a line of its own is in no group', () => {
  const { currency, markets, unknown } = read(`India,$US,0.0118,0.0014,0.0014,0.0280,n/a
Poland,$US,0.0360,0.0120,0.0120,n/a,n/a
Rest of Central & Eastern Europe,$US,0.0860,0.0212,0.0212,n/a,n/a
Turkey,$US,0.0109,0.0009,0.0009,n/a,n/a
Atlantis,$US,1,1,1,n/a,n/a
Other,$US,0.0604,0.0077,0.0077,n/a,n/a`)
  expect([currency, unknown]).toEqual(['USD', ['Atlantis']])
  expect(markets[0]).toEqual({
    market: 'India',
    countries: ['IN'],
    prices: { marketing: 11_800, utility: 1400, authentication: 1400 },
    international: 28_000,
  })
  const [, poland, east, turkey, other] = markets.map(({ countries }) => countries)
  expect([poland, turkey, other]).toEqual([['PL'], ['TR'], ['other']])
  expect(east).toContain('UA')
  expect(east).not.toContain('PL')
})

test('authentication messages have the international price where the business is in another country', () => {
  const { markets } = read('India,$US,0.0118,0.0014,0.0014,0.0280,n/a')
  const priceFrom = (home: string) => ratesOf(markets, home).find(({ category }) => category === 'authentication')
  expect(priceFrom('IN')?.priceMicros).toBe(1400)
  expect(priceFrom('DE')?.priceMicros).toBe(28_000)
})

test('currencies are read with and without their signs, and amounts with either comma', () => {
  expect(read('India,₹INR,"0,8631",₹0.115,n/a,n/a,n/a')).toMatchObject({
    currency: 'INR',
    markets: [{ prices: { marketing: 863_100, utility: 115_000 } }],
  })
  expect(read('India,,1,1,1,,').currency).toBeUndefined()
})

test('a whole card fits into what the server takes', () => {
  const names = ['North America', 'Africa', 'Asia Pacific', 'Central & Eastern Europe', 'Latin America', 'Middle East']
  const lines = [
    ...names.map((name, index) => (index === 0 ? name : `Rest of ${name}`)),
    'Rest of Western Europe',
    'Other',
  ]
  const { markets, unknown } = read(lines.map((name) => `${name},$US,0.05,0.01,0.01,n/a,n/a`).join('\n'))
  expect(unknown).toEqual([])
  const rates = ratesOf(markets, 'US')
  expect(newRateCardSchema.safeParse({ effectiveFrom: '2026-12-01', currency: 'USD', rates }).success).toBe(true)
})

test('what is no rate card says so', () => {
  expect(() => readRateCard(rowsOf('Name,Phone\nAnn,+49'))).toThrow(NotARateCard)
  expect(() => read('')).toThrow('no line with a market')
  expect(() => read('India,$US,0.1.1,,,,')).toThrow('“0.1.1” is not a price (India).')
})
