import { Schema } from 'mongoose'

/** A member who has left and may still own conversations. */
export interface DepartureRecord {
  readonly id: string
  readonly workspaceId: string
  readonly userId: string
  /** User who has removed them, or who left. */
  readonly by: string
  /** Time until which another process may take them for a member, and assign something to them. */
  readonly until: Date
  readonly dueAt: Date
  /** The same for all: found across workspaces. */
  readonly state: 'leaving'
}

export const departureSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    userId: { type: String, required: true },
    by: { type: String, required: true },
    until: { type: Date, required: true },
    dueAt: { type: Date, required: true },
    state: { type: String, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
departureSchema.index({ workspaceId: 1, userId: 1 }, { name: 'member', unique: true })
departureSchema.index({ state: 1, dueAt: 1 }, { name: 'due' })
