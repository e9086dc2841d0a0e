import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema, daySchema, idSchema, leftOutField, timeSchema } from '../core/records.ts'
import { templateCategories } from '../templates/templates.ts'
import { currencySchema, microsSchema } from './money.ts'

/** ISO 3166-1 alpha-2 of the recipient's number; `other`: each country that has no price of its own. */
export const countrySchema = z.string().regex(/^(?:[A-Z]{2}|other)$/)

/** Categories that WhatsApp charges for: those of templates, login codes from a business abroad, and replies in the window. */
export const rateCategories = [...templateCategories, 'authentication_international', 'service'] as const

/** Price at WhatsApp of one delivered message. */
const rateSchema = z.object({ country: countrySchema, category: z.enum(rateCategories), priceMicros: microsSchema })
export type Rate = z.infer<typeof rateSchema>

export const newRateCardSchema = z.object({
  /** The first day on which they hold, by the calendar of the workspace's zone: that of its sending hours. */
  effectiveFrom: daySchema,
  currency: currencySchema,
  /** Source of the prices. */
  source: z.string().trim().max(200, 'At most 200 characters').optional(),
  rates: z
    .array(rateSchema)
    .min(1, 'Enter at least one price')
    .max(1300)
    .refine((rates) => new Set(rates.map(({ country, category }) => `${country} ${category}`)).size === rates.length, {
      message: 'A country has one price for each category',
    }),
})
export type NewRateCard = z.infer<typeof newRateCardSchema>

/**
 * Prices of a workspace from a day on. Once begun they never change: what was planned and sent under them is reported with them.
 */
export const rateCardSchema = z.object({
  ...newRateCardSchema.shape,
  /** A date stored before days had bounds is returned unchanged. */
  effectiveFrom: z.iso.date(),
  id: idSchema,
  createdAt: timeSchema,
  /** Not begun yet: it may still be removed. */
  coming: z.boolean(),
})
export type RateCard = z.infer<typeof rateCardSchema>

/** Maximum rate cards of a workspace: enough for sixteen years of three changes each. */
export const maxRateCards = 50

export const rateCardsApi = {
  list: defineEndpoint({
    operation: 'rateCards.list',
    method: 'GET',
    path: '/api/workspace/rate-cards',
    access: 'session',
    permission: 'workspace:read',
    summary: 'Message prices that the workspace has entered, latest first.',
    status: 200,
    response: z.object({ ...leftOutField, items: z.array(rateCardSchema).max(maxRateCards) }),
    errors: [],
  }),
  create: defineEndpoint({
    operation: 'rateCards.create',
    method: 'POST',
    path: '/api/workspace/rate-cards',
    access: 'session',
    permission: 'workspace:write',
    summary: 'Adds prices that apply from today or a later day.',
    body: newRateCardSchema,
    status: 201,
    response: rateCardSchema,
    errors: ['wrong_state'],
  }),
  remove: defineEndpoint({
    operation: 'rateCards.remove',
    method: 'DELETE',
    path: '/api/workspace/rate-cards/:id',
    access: 'session',
    permission: 'workspace:write',
    summary: 'Removes prices that do not apply yet.',
    params: byId,
    status: 204,
    errors: ['not_found', 'wrong_state'],
  }),
}

/** Recipients of a campaign in one country, and what one message to them costs. */
export const costLineSchema = z.object({
  /** ISO 3166-1 alpha-2; null where the number does not show it, or is missing. */
  country: z.string().length(2).nullable(),
  count: countSchema,
  /** Null: there is no price for it. */
  priceMicros: microsSchema.nullable(),
})
export type CostLine = z.infer<typeof costLineSchema>

/**
 * @param category as the platform bills it: `authentication-international` too.
 * @returns the price of one message; undefined where a card has none: it is never guessed.
 */
export function priceOf(rates: readonly Rate[], country: string | null, category: string): number | undefined {
  if (country === null) return undefined
  const billed = category.replaceAll('-', '_')
  for (const charged of [billed, partOf[billed]])
    for (const place of [country, 'other']) {
      const rate = rates.find((rate) => rate.country === place && rate.category === charged)
      if (rate) return rate.priceMicros
    }
  return undefined
}
/** Categories with the price of another one where they have none of their own. */
const partOf: Readonly<Record<string, Rate['category']>> = {
  marketing_lite: 'marketing',
  authentication_international: 'authentication',
}

/** Sum of what has a price, in micros, and how many messages have none. */
export const sumOf = (lines: readonly CostLine[]): { micros: number; unpriced: number } => ({
  micros: lines.reduce((sum, { count, priceMicros }) => sum + count * (priceMicros ?? 0), 0),
  unpriced: lines.reduce((sum, { count, priceMicros }) => sum + (priceMicros === null ? count : 0), 0),
})
