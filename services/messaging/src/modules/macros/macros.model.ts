import type { MacroAction } from '@parley/contracts/inbox/macros'
import { Schema } from 'mongoose'

/** A named list of actions on a conversation. */
export interface MacroRecord {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  /** The folded name: no two macros of a workspace differ in case or accents only. */
  readonly nameKey: string
  readonly actions: readonly MacroAction[]
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const macroSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    nameKey: { type: String, required: true },
    actions: { type: [Schema.Types.Mixed], required: true },
    version: { type: Number, required: true },
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
macroSchema.index({ workspaceId: 1, nameKey: 1 }, { name: 'name', unique: true })
