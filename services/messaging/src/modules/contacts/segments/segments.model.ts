import type { ConditionGroup } from '@parley/contracts/contacts/conditions'
import { Schema } from 'mongoose'

/** A saved filter of a workspace. */
export interface SegmentRecord {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  /** The folded name: no two segments of a workspace differ in case or accents only. */
  readonly nameKey: string
  readonly filter: ConditionGroup
  readonly version: number
}

export const segmentSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    nameKey: { type: String, required: true },
    filter: { type: Schema.Types.Mixed, required: true },
    version: { type: Number, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw', minimize: false },
)
segmentSchema.index({ workspaceId: 1, nameKey: 1 }, { name: 'name', unique: true })
