import type { Assignment } from '@parley/contracts/inbox/assignment'
import { Schema } from 'mongoose'

/** Assignment rule of a workspace for conversations without an owner. */
export interface AssignmentRecord extends Assignment {
  readonly id: string
}

/** Member whose turn was the last one; apart from the setting, whose version people see. */
export interface TurnRecord {
  readonly id: string
  readonly last: string
}

const options = { versionKey: false, strict: 'throw', strictQuery: 'throw' } as const
const workspaceId = { type: Schema.Types.ObjectId, required: true }

export const assignmentSchema = new Schema(
  {
    workspaceId,
    mode: { type: String, required: true },
    members: { type: [String], required: true },
    version: { type: Number, required: true },
  },
  options,
)
assignmentSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })

export const turnSchema = new Schema({ workspaceId, last: { type: String, required: true } }, options)
turnSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })
