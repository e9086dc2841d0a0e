import { Schema } from 'mongoose'

export interface UsageRecord {
  readonly id: string
  readonly workspaceId: string
  readonly kind: 'message'
  readonly messageId: string
  readonly category: string
  readonly billable: boolean
  readonly at: Date
}

export const usageSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    kind: { type: String, required: true },
    messageId: { type: Schema.Types.ObjectId, required: true },
    category: { type: String, required: true },
    billable: { type: Boolean, required: true },
    at: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
