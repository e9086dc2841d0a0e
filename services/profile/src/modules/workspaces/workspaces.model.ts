import { type Role, roles } from '@parley/contracts/account/permissions'
import { maxWorkspaceName } from '@parley/contracts/account/workspace'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

export interface WorkspaceRecord {
  readonly id: string
  readonly name: string
  /** Business address and number as customers know them. */
  readonly email?: string | undefined
  readonly phone?: string | undefined
  /** User with whose account it was made. */
  readonly ownerId: string
  /** Cell that holds what messaging and automation have of it; absent: the home cell. */
  readonly cell?: string | undefined
  /** Set from the closing on, until nothing of the workspace is left. */
  readonly deletion?: Deletion | undefined
  /** Set with it while the workspace can be restored: found across workspaces. */
  readonly closing?: typeof closes | undefined
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const closes = 'closes'

export interface Deletion {
  /** User id of the owner who asked for it. */
  readonly by: string
  readonly at: Date
  /** Time of the workspace's erasure. */
  readonly until: Date
}

/** One for each workspace and user, kept for good: a membership that has ended is `removed`. */
export interface MemberRecord {
  readonly id: string
  readonly workspaceId: string
  readonly userId: string
  readonly role: Role
  /** Absent in records of the first version: those are active. */
  readonly status?: 'active' | 'removed'
  /** Raised by every write. */
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

const options = { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw' } as const

export const workspaceSchema = new Schema(
  {
    name: { type: String, required: true, maxlength: maxWorkspaceName },
    email: { type: String, maxlength: 254 },
    phone: { type: String, maxlength: 20 },
    ownerId: { type: Schema.Types.ObjectId, required: true },
    deletion: {
      type: new Schema(
        {
          by: { type: Schema.Types.ObjectId, required: true },
          at: { type: Date, required: true },
          until: { type: Date, required: true },
        },
        { _id: false, strict: 'throw' },
      ),
    },
    closing: { type: String },
    cell: { type: String },
    version: { type: Number },
  },
  options,
)
workspaceSchema.index({ closing: 1, 'deletion.until': 1 }, { name: 'closing', ...whereExists('closing') })

export const memberSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    role: { type: String, enum: roles, required: true },
    status: { type: String, enum: ['active', 'removed'] },
    version: { type: Number, required: true },
  },
  options,
)
memberSchema.index({ workspaceId: 1, userId: 1 }, { name: 'membership', unique: true })
memberSchema.index({ userId: 1, _id: 1 }, { name: 'memberships' })
