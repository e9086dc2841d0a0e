import type { ReplyFile } from '@parley/contracts/inbox/replies'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

/** An answer that is written often. */
export interface ReplyRecord {
  readonly id: string
  readonly workspaceId: string
  readonly shortcut: string
  readonly text: string
  readonly file?: ReplyFile
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const replySchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    shortcut: { type: String, required: true },
    text: { type: String, default: '' },
    file: { type: Schema.Types.Mixed },
    version: { type: Number, required: true },
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
replySchema.index({ workspaceId: 1, shortcut: 1 }, { name: 'shortcut', unique: true })
replySchema.index({ workspaceId: 1, shortcut: 1, _id: 1 }, { name: 'list' })
replySchema.index({ workspaceId: 1, 'file.mediaId': 1 }, { name: 'file', ...whereExists('file.mediaId') })
