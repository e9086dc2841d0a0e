import type { NewRateCard } from '@parley/contracts/usage/rate-cards'
import { Schema } from 'mongoose'

/** Prices that WhatsApp charges a workspace from a day on. */
export interface RateCardRecord extends NewRateCard {
  readonly id: string
  readonly workspaceId: string
  readonly createdAt: Date
}

const text = { type: String, required: true }

export const rateCardSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    effectiveFrom: text,
    currency: text,
    source: { type: String },
    rates: {
      type: [
        new Schema(
          { country: text, category: text, priceMicros: { type: Number, required: true } },
          { _id: false, strict: 'throw' },
        ),
      ],
      required: true,
    },
    createdAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
rateCardSchema.index({ workspaceId: 1, effectiveFrom: 1 }, { name: 'from', unique: true })
