import { Schema } from 'mongoose'

/** A webhook that is no message and no status, kept for people and for the features that it concerns. */
export interface AccountEventRecord {
  readonly id: string
  readonly workspaceId: string
  readonly accountId: string
  readonly field: string
  readonly event?: string | undefined
  /** Value as JSON text. */
  readonly value: string
  readonly at: Date
  readonly recordedAt: Date
  /** The same webhook twice is one event. */
  readonly key: string
}

export const accountEventSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    accountId: { type: String, required: true },
    field: { type: String, required: true },
    event: { type: String },
    value: { type: String, required: true },
    at: { type: Date, required: true },
    recordedAt: { type: Date, required: true },
    key: { type: String, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
accountEventSchema.index({ workspaceId: 1, key: 1 }, { name: 'key', unique: true })
accountEventSchema.index({ recordedAt: 1 }, { name: 'kept', expireAfterSeconds: 90 * 86_400 })
accountEventSchema.index({ workspaceId: 1, accountId: 1, field: 1, at: -1 }, { name: 'account' })
