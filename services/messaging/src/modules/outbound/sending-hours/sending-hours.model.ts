import type { SendingHours } from '@parley/contracts/campaigns/sending-hours'
import { Schema } from 'mongoose'

/** Hours in which a workspace sends marketing. */
export interface SendingHoursRecord extends SendingHours {
  readonly id: string
}

const text = { type: String, required: true }

export const sendingHoursSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    limited: { type: Boolean, required: true },
    zone: text,
    opens: text,
    closes: text,
    version: { type: Number, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
sendingHoursSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })
