import type { KeptMonths } from '@parley/contracts/inbox/message-retention'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

/** Value by which records are found that have work. */
export const watched = 'messages' as const

/** Time for which a workspace keeps its messages. Work on it counts here as well, so what people edit has a `revision`. */
export interface RetentionRecord {
  readonly id: string
  readonly workspaceId: string
  /** Months that hold; `null`: for ever. */
  readonly months: KeptMonths
  /** Setting that holds instead from a time on. */
  readonly next?: { readonly months: NonNullable<KeptMonths>; readonly from: Date } | undefined
  readonly revision: number
  /** Id of the member who changed it last. */
  readonly by: string
  /** Set while there is work from {@link dueAt} on. */
  readonly watch?: typeof watched | undefined
  readonly dueAt?: Date | undefined
  /** Messages deleted since the audit log was told. */
  readonly removed: number
}

export const retentionSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    months: { type: Number, default: null },
    next: { type: new Schema({ months: Number, from: Date }, { _id: false, id: false }) },
    revision: { type: Number, required: true },
    by: { type: String, required: true },
    watch: { type: String },
    dueAt: { type: Date },
    removed: { type: Number, required: true, default: 0 },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
retentionSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })
retentionSchema.index({ watch: 1, dueAt: 1 }, { name: 'due', ...whereExists('watch') })
