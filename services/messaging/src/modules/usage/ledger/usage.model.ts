import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

/** Data that WhatsApp reports of a delivered message and that its price depends on. */
export interface Usage {
  readonly messageId: string
  readonly category: string
  readonly billable: boolean
  /** Time of delivery. */
  readonly at: Date
  /** ISO 3166-1 alpha-2 of the recipient's number; absent where there is none. */
  readonly country?: string
  /** Set for a campaign's message. */
  readonly campaignId?: string
}

export interface UsageRecord extends Usage {
  readonly id: string
  readonly workspaceId: string
  readonly kind: 'message'
}

export const usageSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    kind: { type: String, required: true },
    messageId: { type: Schema.Types.ObjectId, required: true },
    category: { type: String, required: true },
    billable: { type: Boolean, required: true },
    at: { type: Date, required: true },
    country: { type: String },
    campaignId: { type: Schema.Types.ObjectId },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
usageSchema.index({ workspaceId: 1, messageId: 1 }, { name: 'message', unique: true })
usageSchema.index({ workspaceId: 1, at: 1 }, { name: 'time' })
// Counts what the messages of a campaign were billed as, from the keys alone.
usageSchema.index(
  { workspaceId: 1, campaignId: 1, country: 1, category: 1, billable: 1, at: 1 },
  { name: 'campaign', ...whereExists('campaignId') },
)
