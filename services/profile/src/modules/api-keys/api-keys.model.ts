import { type Permission, permissions } from '@parley/contracts/account/permissions'
import { Schema } from 'mongoose'

/** One for each key, kept for good: what was done with it names it. */
export interface ApiKeyRecord {
  readonly id: string
  readonly workspaceId: string
  /** Part of the key itself. */
  readonly publicId: string
  /** SHA-256 of the whole key. */
  readonly hash: string
  readonly name: string
  readonly scopes: readonly Permission[]
  readonly numbers: readonly string[]
  readonly networks: readonly string[]
  /** `null`: it never expires. */
  readonly expiresAt: Date | null
  /** Time of the next notice to members that it will end; absent where they need not be. */
  readonly noticeAt?: Date | undefined
  /** Set with it: found across workspaces. */
  readonly pending?: 'notice' | undefined
  readonly createdBy: string
  readonly revokedAt: Date | null
  readonly replacedBy: string | null
  readonly lastUsedAt: Date | null
  readonly lastUsedIp: string | null
  /** Raised by each change; a use is none. */
  readonly revision: number
  readonly createdAt: Date
  readonly changedAt: Date
}

const text = { type: String, required: true } as const

export const apiKeySchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    publicId: text,
    hash: text,
    name: { ...text, maxlength: 80 },
    scopes: { type: [{ type: String, enum: permissions }], required: true },
    numbers: { type: [String], required: true },
    networks: { type: [String], required: true },
    expiresAt: { type: Date, default: null },
    noticeAt: { type: Date },
    pending: { type: String },
    createdBy: { type: Schema.Types.ObjectId, required: true },
    revokedAt: { type: Date, default: null },
    replacedBy: { type: String, default: null },
    lastUsedAt: { type: Date, default: null },
    lastUsedIp: { type: String, default: null },
    revision: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    changedAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
apiKeySchema.index({ publicId: 1 }, { name: 'public-id', unique: true })
apiKeySchema.index(
  { pending: 1, noticeAt: 1 },
  { name: 'notices', partialFilterExpression: { pending: { $exists: true } } },
)
apiKeySchema.index({ workspaceId: 1, revokedAt: 1, _id: -1 }, { name: 'live-keys' })
