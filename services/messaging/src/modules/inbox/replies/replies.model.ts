import { Schema } from 'mongoose'

/** An answer that is written often. */
export interface ReplyRecord {
  readonly id: string
  readonly workspaceId: string
  readonly shortcut: string
  readonly text: string
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const replySchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    shortcut: { type: String, required: true },
    text: { type: String, required: true },
    version: { type: Number, required: true },
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
replySchema.index({ workspaceId: 1, shortcut: 1 }, { name: 'shortcut', unique: true })
replySchema.index({ workspaceId: 1, shortcut: 1, _id: 1 }, { name: 'list' })
