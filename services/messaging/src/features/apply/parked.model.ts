import { Schema } from 'mongoose'
import type { InboundStatus } from '../../whatsapp/inbound-status.ts'

export interface ParkedRecord {
  readonly id: string
  readonly workspaceId: string
  readonly waMessageId: string
  readonly statuses: readonly InboundStatus[]
  readonly createdAt: Date
}

export const parkedSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    waMessageId: { type: String, required: true },
    statuses: { type: [Schema.Types.Mixed], required: true },
    createdAt: { type: Date },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
