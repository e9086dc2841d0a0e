import type { Visibility } from '@parley/contracts/inbox/visibility'
import { Schema } from 'mongoose'

/** Setting of which conversations agents see. */
export interface VisibilityRecord extends Visibility {
  readonly id: string
}

export const visibilitySchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    agentSees: { type: String, required: true, enum: ['all', 'own'] },
    version: { type: Number, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
visibilitySchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })
