import type { Assignment } from '@parley/contracts/inbox/assignment'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

/** Assignment rule of a workspace for conversations without an owner. */
export interface AssignmentRecord
  extends Omit<Assignment, 'limit' | 'limits'>,
    Partial<Pick<Assignment, 'limit' | 'limits'>> {
  readonly id: string
}

export const queueWaits = 'waits'

/**
 * State of a workspace's assignment; apart from the setting, whose version people see. Everything that gives conversations away, and
 * everything that a member relies on afterwards, writes it: of two at once one runs again.
 */
export interface TurnRecord {
  readonly id: string
  readonly workspaceId: string
  /** Member whose turn was the last one. */
  readonly last?: string | undefined
  readonly round: number
  /** Set while conversations wait because no member has room; looked at again at that time, whatever happens. */
  readonly queue?: { readonly state: typeof queueWaits; readonly at: Date } | undefined
}

/** A member who is away; one that is over is as if it were not there. */
export interface AbsenceRecord {
  readonly id: string
  readonly userId: string
  readonly since: Date
  /** Absent: until they say that they are back. */
  readonly until?: Date | undefined
}

const options = { versionKey: false, strict: 'throw', strictQuery: 'throw' } as const
const plain = { _id: false, id: false }
const workspaceId = { type: Schema.Types.ObjectId, required: true }

export const assignmentSchema = new Schema(
  {
    workspaceId,
    mode: { type: String, required: true },
    members: { type: [String], required: true },
    limit: { type: Number },
    limits: { type: [new Schema({ userId: String, limit: Number }, plain)], default: undefined },
    version: { type: Number, required: true },
  },
  options,
)
assignmentSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })

export const turnSchema = new Schema(
  {
    workspaceId,
    last: { type: String },
    round: { type: Number },
    queue: { type: new Schema({ state: String, at: Date }, plain) },
  },
  options,
)
turnSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })
turnSchema.index({ 'queue.state': 1, 'queue.at': 1 }, { name: 'queue', ...whereExists('queue.state') })

export const absenceSchema = new Schema(
  {
    workspaceId,
    userId: { type: String, required: true },
    since: { type: Date, required: true },
    until: { type: Date },
  },
  options,
)
absenceSchema.index({ workspaceId: 1, userId: 1 }, { name: 'member', unique: true })
