import { Schema } from 'mongoose'
import type { ItemAboutMessage } from './webhook-items.ts'

/** Updates received for a message that was not known yet. */
export interface OrphanUpdatesRecord {
  readonly id: string
  readonly workspaceId: string
  readonly waMessageId: string
  readonly pieces: readonly ItemAboutMessage[]
  readonly createdAt: Date
}

export const orphanUpdatesSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    waMessageId: { type: String, required: true },
    pieces: { type: [Schema.Types.Mixed], required: true },
    createdAt: { type: Date },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
orphanUpdatesSchema.index({ workspaceId: 1, waMessageId: 1 }, { name: 'wamid', unique: true })
orphanUpdatesSchema.index({ createdAt: 1 }, { name: 'kept', expireAfterSeconds: 7 * 86_400 })
