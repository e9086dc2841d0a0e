import type { ShownByView } from '@parley/contracts/inbox/views'
import { Schema } from 'mongoose'

/** Filters and order of a list under a name. */
export interface ViewRecord {
  readonly id: string
  readonly workspaceId: string
  /** Id of the owner; null where everyone in the workspace has it. */
  readonly ownerId: string | null
  readonly screen: ShownByView['screen']
  readonly query: ShownByView['query']
  readonly name: string
  /** The folded name: no two views of an owner differ in case or accents only. */
  readonly nameKey: string
  readonly version: number
}

export const viewSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    ownerId: { type: String, default: null },
    screen: { type: String, required: true },
    query: { type: Schema.Types.Mixed, required: true },
    name: { type: String, required: true },
    nameKey: { type: String, required: true },
    version: { type: Number, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw', minimize: false },
)
viewSchema.index({ workspaceId: 1, screen: 1, ownerId: 1, nameKey: 1 }, { name: 'name', unique: true })
