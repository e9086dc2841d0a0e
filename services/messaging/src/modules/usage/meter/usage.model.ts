import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

/** Usage that one message counts as. A message of a campaign has none: its campaign's rows are counted. */
export interface UsageEntryRecord {
  readonly id: string
  readonly messageId: string
  /** A template is a credit and a message, everything else a message. */
  readonly kind: 'credit' | 'message'
  /** The quarter of an hour in which it counts. */
  readonly from: Date
  /** False while it counts as failed: it may have arrived after all. */
  readonly counts: boolean
}

/** Count of entries of one quarter of an hour: midnight begins one in every zone. */
export interface UsageCountRecord {
  readonly id: string
  readonly from: Date
  /** Number of all messages. */
  readonly messages: number
  readonly credits: number
}

export const watched = 'usage'

/** Change in what is used of a workspace's plan that no worker has checked yet. */
export interface UsageWatchRecord {
  readonly id: string
  readonly workspaceId: string
  /** Set as long as a worker has to check, from `dueAt` on. */
  readonly watch?: typeof watched | undefined
  readonly dueAt?: Date | undefined
  /** Raised by every change: a check leaves later changes pending. */
  readonly changes: number
  /** Last announcement to members: the period, and the percent threshold. */
  readonly announced?: string | undefined
}

const workspaceId = { type: Schema.Types.ObjectId, required: true }
const options = { versionKey: false, strict: 'throw', strictQuery: 'throw' } as const

export const usageEntrySchema = new Schema(
  {
    workspaceId,
    messageId: { type: Schema.Types.ObjectId, required: true },
    kind: { type: String, enum: ['credit', 'message'], required: true },
    from: { type: Date, required: true },
    counts: { type: Boolean, required: true },
  },
  options,
)
usageEntrySchema.index({ workspaceId: 1, messageId: 1 }, { name: 'message', unique: true })
// A period has 31 days at most; what a status may still change is younger.
usageEntrySchema.index({ from: 1 }, { name: 'kept', expireAfterSeconds: 400 * 86_400 })

export const usageCountSchema = new Schema(
  { workspaceId, from: { type: Date, required: true }, messages: Number, credits: Number },
  options,
)
usageCountSchema.index({ workspaceId: 1, from: 1 }, { name: 'quarter', unique: true })

export const usageWatchSchema = new Schema(
  { workspaceId, watch: String, dueAt: Date, changes: { type: Number, required: true }, announced: String },
  options,
)
usageWatchSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })
usageWatchSchema.index({ watch: 1, dueAt: 1 }, { name: 'due', ...whereExists('watch') })
