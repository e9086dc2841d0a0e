import type { Rate } from '@parley/contracts/usage/rate-cards'
import { expect, test } from 'vitest'
import { emptyRow, rateCardFormSchema, toCard, toRows, withReplaced } from './rate-card-values.ts'

const form = { effectiveFrom: '2026-12-01', currency: 'INR', source: '' }
const rows = [
  { ...emptyRow, country: 'IN', service: '0,2', marketing: '0.8825', utility: '0,115', authentication: '' },
  { ...emptyRow, country: 'other', marketing: '5', utility: '', authentication: '0' },
]

test('what is typed becomes rates to the millionth, and rates become what is typed; nothing typed is no price', () => {
  const { rates } = toCard({ ...form, rows })
  expect(rates).toEqual([
    { country: 'IN', category: 'marketing', priceMicros: 882_500 },
    { country: 'IN', category: 'utility', priceMicros: 115_000 },
    { country: 'IN', category: 'service', priceMicros: 200_000 },
    { country: 'other', category: 'marketing', priceMicros: 5_000_000 },
    { country: 'other', category: 'authentication', priceMicros: 0 },
  ])
  expect(toRows(rates.toReversed())).toEqual([
    { ...emptyRow, country: 'IN', marketing: '0.8825', utility: '0.115', service: '0.2' },
    { ...emptyRow, country: 'other', marketing: '5', authentication: '0' },
  ])
  expect(toCard({ ...form, rows, source: 'Meta' })).toMatchObject({ source: 'Meta' })
})

test('each mistake is named at its own field', () => {
  const problems = (wrong: object) =>
    rateCardFormSchema.safeParse({ ...form, rows, ...wrong }).error?.issues.map(({ path }) => path.join('.'))
  expect(problems({})).toBeUndefined()
  expect(problems({ effectiveFrom: '' })).toEqual(['effectiveFrom'])
  expect(problems({ rows: [...rows, rows[0]] })).toEqual(['rows.2.country'])
  expect(problems({ rows: [{ ...emptyRow, country: 'IN' }] })).toEqual(['rows.0.marketing'])
  expect(problems({ rows: [{ ...emptyRow, marketing: 'a little' }] })).toEqual(['rows.0.country', 'rows.0.marketing'])
})

test('a price that is entered replaces that one alone', () => {
  const rate = (category: Rate['category'], priceMicros: number) => ({ country: 'IN', category, priceMicros })
  const rates = [rate('marketing', 1), rate('utility', 2), { ...rate('service', 3), country: 'DE' }]
  expect(withReplaced(rates, [rate('service', 4), rate('utility', 5)])).toEqual([
    ...[rate('marketing', 1), { ...rate('service', 3), country: 'DE' }],
    ...[rate('service', 4), rate('utility', 5)],
  ])
})
