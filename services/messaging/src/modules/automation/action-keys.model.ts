import { Schema } from 'mongoose'

/** Result of an action by its key, which makes it happen once: a repetition is answered with this record. */
export interface ActionKeyRecord {
  readonly id: string
  readonly workspaceId: string
  readonly key: string
  /** Hash of the action and its conversation: another one under the same key is a mistake. */
  readonly hash: string
  readonly outcome: 'done' | 'refused'
  readonly code?: string | undefined
  readonly message?: string | undefined
  readonly messageId?: string | undefined
  /** Epoch of the conversation after the action, where the action has raised it. */
  readonly epoch?: number | undefined
  readonly createdAt: Date
}

const text = { type: String, required: true }

export const actionKeySchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    key: text,
    hash: text,
    outcome: text,
    code: { type: String },
    message: { type: String },
    messageId: { type: Schema.Types.ObjectId },
    epoch: { type: Number },
  },
  { timestamps: { updatedAt: false }, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
actionKeySchema.index({ workspaceId: 1, key: 1 }, { name: 'key', unique: true })
// A call is repeated for hours; a run lasts for 30 days.
actionKeySchema.index({ createdAt: 1 }, { name: 'kept', expireAfterSeconds: 35 * 86_400 })
