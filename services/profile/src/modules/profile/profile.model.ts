import type { ProfileFields } from '@parley/contracts/account/profile'
import { Schema } from 'mongoose'

/** Claims of the identity provider about a person; replaced at every sign-in. */
export interface Claims {
  readonly email: string
  readonly emailVerified: boolean
  readonly provider: string
  readonly claimedName: string
  readonly claimedPicture: string
  /** Time at which the provider issued these claims, in seconds since 1970; absent where the caller could not say. */
  readonly claimsIat?: number
}

/** A user: who they are at the identity provider, what it claims, and what they typed themselves. */
export interface UserRecord extends Claims, ProfileFields {
  readonly id: string
  readonly iss: string
  readonly sub: string
  /** Time at which a password session was first seen with a proven address; `null` while none was. */
  readonly emailVerifiedAt: Date | null
  /** Time at which a federated session was first let in, or made the user; from then on the account is its owner's beyond doubt. */
  readonly federatedAt: Date | null
  /** Chosen when the user is created, before the workspace exists, so that every retry creates the same one. */
  readonly homeWorkspaceId: string
  /** The workspace that they went to last by themselves. */
  readonly lastWorkspaceId?: string | undefined
  /** Set once they have had a workspace of their own with a trial: the next one begins without. */
  readonly trialUsedAt?: Date | undefined
  /** Raised by every write. */
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

const text = { type: String, default: '' }

export const userRecordSchema = new Schema(
  {
    iss: { type: String, required: true },
    sub: { type: String, required: true },
    email: text,
    emailVerified: { type: Boolean, required: true },
    emailVerifiedAt: { type: Date, default: null },
    federatedAt: { type: Date, default: null },
    provider: { type: String, required: true },
    claimedName: text,
    claimedPicture: text,
    claimsIat: { type: Number },
    firstName: text,
    lastName: text,
    mobile: text,
    address: text,
    timezone: text,
    profileImageUrl: text,
    homeWorkspaceId: { type: Schema.Types.ObjectId, required: true },
    lastWorkspaceId: { type: Schema.Types.ObjectId },
    trialUsedAt: { type: Date },
    version: { type: Number, required: true },
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
// A repeated or racing session context ends in one user.
userRecordSchema.index({ iss: 1, sub: 1 }, { name: 'identity', unique: true })
userRecordSchema.index({ email: 1 }, { name: 'email' })
