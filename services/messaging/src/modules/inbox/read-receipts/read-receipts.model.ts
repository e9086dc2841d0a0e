import type { ReadReceipts } from '@parley/contracts/inbox/read-receipts'
import { Schema } from 'mongoose'

/** Setting of what customers see while a member types. */
export interface ReadReceiptsRecord extends ReadReceipts {
  readonly id: string
}

export const readReceiptsSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    read: { type: Boolean, required: true },
    typing: { type: Boolean, required: true },
    version: { type: Number, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
readReceiptsSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })
