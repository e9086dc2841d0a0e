import { dateAfter } from '@parley/contracts/core/zoned-time'
import {
  type NewRateCard,
  newRateCardSchema,
  type Rate,
  type RateCard,
  rateCategories,
} from '@parley/contracts/usage/rate-cards'
import { z } from 'zod'

const perUnit = 1_000_000

/** In a currency's unit, as a person types it; empty: no price. */
const priceSchema = z
  .string()
  .trim()
  .regex(/^(\d{1,6}([.,]\d{1,6})?)?$/, 'Enter a price, such as 0.88')

const rowSchema = z.object({
  country: z.string().min(1, 'Choose a country'),
  marketing: priceSchema,
  utility: priceSchema,
  authentication: priceSchema,
  authentication_international: priceSchema,
  service: priceSchema,
})
export type PriceRow = z.infer<typeof rowSchema>

export const emptyRow: PriceRow = {
  country: '',
  marketing: '',
  utility: '',
  authentication: '',
  authentication_international: '',
  service: '',
}

/** The form of new prices: a row for each country. */
export const rateCardFormSchema = z
  .object({
    effectiveFrom: z.iso.date('Choose a day'),
    currency: newRateCardSchema.shape.currency,
    source: newRateCardSchema.shape.source.unwrap(),
    rows: z.array(rowSchema),
  })
  .superRefine(({ rows }, { addIssue }) => {
    const refuse = (index: number, field: keyof PriceRow, message: string) =>
      addIssue({ code: 'custom', path: ['rows', index, field], message })
    for (const [index, row] of rows.entries()) {
      if (row.country !== '' && rows.findIndex(({ country }) => country === row.country) < index)
        refuse(index, 'country', 'This country has prices above')
      if (rateCategories.every((category) => row[category].trim() === ''))
        refuse(index, 'marketing', 'Enter at least one price')
    }
  })
export type RateCardForm = z.infer<typeof rateCardFormSchema>

export const toCard = ({ rows, source, ...card }: RateCardForm): NewRateCard => ({
  ...card,
  ...(source !== '' && { source }),
  rates: rows.flatMap((row) =>
    rateCategories.flatMap((category) => {
      const text = row[category].replace(',', '.')
      return text === '' ? [] : [{ country: row.country, category, priceMicros: Math.round(Number(text) * perUnit) }]
    }),
  ),
})

/** A row for each country, that of all others last. */
export function toRows(rates: readonly Rate[]): PriceRow[] {
  const rows = new Map<string, PriceRow>()
  for (const { country, category, priceMicros } of rates)
    rows.set(country, { ...emptyRow, ...rows.get(country), country, [category]: String(priceMicros / perUnit) })
  return [...rows.values()].sort((left, right) => Number(left.country === 'other') - Number(right.country === 'other'))
}

/** First day from which new prices may be valid: those already in effect stay as they are, today's too. */
export const firstDayAfter = (latest: RateCard | undefined, today: string): string =>
  latest ? dateAfter(latest.effectiveFrom > today ? latest.effectiveFrom : today, 1) : today

/** Countries with the same prices in one row, in the order of {@link toRows}. */
export function toGroups(rates: readonly Rate[]): { row: PriceRow; countries: string[] }[] {
  const groups = new Map<string, { row: PriceRow; countries: string[] }>()
  for (const row of toRows(rates)) {
    const key = row.country === 'other' ? 'other' : rateCategories.map((category) => row[category]).join('/')
    const group = groups.get(key) ?? { row, countries: [] }
    group.countries.push(row.country)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Prices of a card with some of them replaced. */
export const withReplaced = (rates: readonly Rate[], replaced: readonly Rate[]): Rate[] => [
  ...rates.filter(
    ({ country, category }) => !replaced.some((rate) => rate.country === country && rate.category === category),
  ),
  ...replaced,
]
