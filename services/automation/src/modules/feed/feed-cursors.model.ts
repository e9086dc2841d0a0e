import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

/** Names cursors with conversations of which messaging has not been told. */
export const passedWatch = 'passed'

/** Place in messaging's log up to which a workspace's events have been applied, in the transaction that wrote what they did. */
export interface FeedCursorRecord {
  readonly id: string
  readonly workspaceId: string
  readonly seq: number
  /** Event that could not be applied, and how often that was tried. */
  readonly failedSeq?: number | undefined
  readonly failures?: number | undefined
  /** Conversations that no bot wanted, until messaging has been told. */
  readonly passed?: readonly string[] | undefined
  /** Set while there are any, whatever its workspace. */
  readonly watch?: typeof passedWatch | undefined
}

export const feedCursorSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    seq: { type: Number, required: true },
    failedSeq: { type: Number },
    failures: { type: Number },
    passed: { type: [String], default: undefined },
    watch: { type: String },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
feedCursorSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })
feedCursorSchema.index({ watch: 1 }, { name: 'watch', ...whereExists('watch') })
