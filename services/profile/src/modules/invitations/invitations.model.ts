import { type Role, roles } from '@parley/contracts/account/permissions'
import { Schema } from 'mongoose'

/** An offer to become a member. It takes a seat of the plan while it is open. */
export interface InvitationRecord {
  readonly id: string
  readonly workspaceId: string
  readonly email: string
  readonly role: Role
  /** SHA-256 of the secret in the link, hex. */
  readonly tokenHash: string
  readonly state: 'open' | 'accepted' | 'declined' | 'revoked' | 'expired'
  readonly expiresAt: Date
  readonly invitedBy: string
  /** Time at which the latest mail was ordered, the number of mails, and its record. */
  readonly sentAt: Date
  readonly sends: number
  readonly mailId: string
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

const isOpen = { partialFilterExpression: { state: 'open' } }

export const invitationSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    email: { type: String, required: true, maxlength: 254 },
    role: { type: String, enum: roles, required: true },
    tokenHash: { type: String, required: true },
    state: { type: String, enum: ['open', 'accepted', 'declined', 'revoked', 'expired'], required: true },
    expiresAt: { type: Date, required: true },
    invitedBy: { type: Schema.Types.ObjectId, required: true },
    sentAt: { type: Date, required: true },
    sends: { type: Number, required: true },
    mailId: { type: Schema.Types.ObjectId, required: true },
    version: { type: Number, required: true },
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
invitationSchema.index({ tokenHash: 1 }, { name: 'token', unique: true })
invitationSchema.index({ workspaceId: 1, email: 1 }, { name: 'open', unique: true, ...isOpen })
invitationSchema.index({ workspaceId: 1, _id: -1 }, { name: 'newest' })
invitationSchema.index({ email: 1, state: 1 }, { name: 'address' })
invitationSchema.index({ expiresAt: 1 }, { name: 'due', ...isOpen })
