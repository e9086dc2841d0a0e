import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, countSchema } from '../core/records.ts'
import { costLineSchema } from '../usage/rate-cards.ts'

/** ISO 4217. */
const currencySchema = z.string().length(3)

/** Whole millionths of the currency's unit: a sum is rounded where it is shown, and nowhere before. */
const sumMicrosSchema = z.number().min(0)

const plannedCostSchema = z.object({
  currency: currencySchema,
  micros: sumMicrosSchema,
  /** Messages without a known price. */
  unpriced: countSchema,
})
export type PlannedCost = z.infer<typeof plannedCostSchema>

/** Billable messages that were delivered in one country, have one category and have one price. */
const chargedLineSchema = costLineSchema.pick({ country: true, count: true }).extend({
  /** As WhatsApp bills them: it may be none that there are prices for. */
  category: z.string().max(60),
  /** Null where there was no price for them on the day of their delivery. */
  charge: z
    .object({
      currency: currencySchema,
      priceMicros: costLineSchema.shape.priceMicros.unwrap(),
      micros: sumMicrosSchema,
    })
    .nullable(),
})
export type ChargedLine = z.infer<typeof chargedLineSchema>

const campaignCostSchema = z.object({
  /** For everybody whom it was to reach when it was made; null where that is not recorded, or there were no prices. */
  planned: plannedCostSchema.nullable(),
  /** One for each currency. */
  charged: z.array(z.object({ currency: currencySchema, micros: sumMicrosSchema })).max(50),
  /** Parts of `charged`, and messages without a price; most messages first. */
  lines: z.array(chargedLineSchema).max(5000),
  /** Messages of `lines` without a price. */
  unpriced: countSchema,
  /** Delivered, and WhatsApp does not charge for them. */
  free: countSchema,
  /** Delivered, and there is no record of whether WhatsApp charges for them. */
  unrecorded: countSchema,
  /** True where the workspace has prices that are valid today. */
  hasPrices: z.boolean(),
})
export type CampaignCost = z.infer<typeof campaignCostSchema>

export const campaignCostApi = {
  read: defineEndpoint({
    operation: 'campaigns.charged',
    method: 'GET',
    path: '/api/campaigns/:id/cost',
    access: 'session',
    permission: 'campaigns:read',
    v1: true,
    summary: 'Charges of a campaign so far, at the prices of the delivery days, beside the estimate.',
    params: byId,
    status: 200,
    response: campaignCostSchema,
    errors: ['not_found', 'search_too_long'],
  }),
}
