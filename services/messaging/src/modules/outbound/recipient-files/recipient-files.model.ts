import type { HeaderFileKind } from '@parley/contracts/templates/template-headers'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

/** File at one address that recipients of a campaign get: fetched and uploaded once, however many they are. */
export interface RecipientFileRecord {
  readonly id: string
  readonly workspaceId: string
  readonly campaignId: string
  readonly numberId: string
  readonly kind: HeaderFileKind
  readonly address: string
  /** Digest of the address: addresses are too long for an index. */
  readonly key: string
  readonly state: 'waiting' | 'ready' | 'failed'
  /** Set while it waits: the next attempt, or the end of the lease of the one that is being made. */
  readonly dueAt?: Date | undefined
  readonly claim?: string | undefined
  readonly attempts: number
  /** Our file, once it was fetched. */
  readonly mediaId?: string | undefined
  readonly mimeType?: string | undefined
  readonly sizeBytes?: number | undefined
  /** Code of a failure, and its details for a person. */
  readonly code?: number | undefined
  readonly detail?: string | undefined
  readonly endedAt?: Date | undefined
  /** Set once its campaign has ended: it is deleted then. */
  readonly keptUntil?: Date | undefined
}

const id = { type: Schema.Types.ObjectId, required: true }

export const recipientFileSchema = new Schema(
  {
    workspaceId: id,
    campaignId: id,
    numberId: id,
    kind: { type: String, required: true },
    address: { type: String, required: true },
    key: { type: String, required: true },
    state: { type: String, enum: ['waiting', 'ready', 'failed'], required: true },
    dueAt: { type: Date },
    claim: { type: String },
    attempts: { type: Number, required: true },
    mediaId: { type: Schema.Types.ObjectId },
    mimeType: { type: String },
    sizeBytes: { type: Number },
    code: { type: Number },
    detail: { type: String },
    endedAt: { type: Date },
    keptUntil: { type: Date },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
recipientFileSchema.index({ workspaceId: 1, campaignId: 1, key: 1 }, { name: 'address', unique: true })
recipientFileSchema.index({ dueAt: 1 }, { name: 'due', ...whereExists('dueAt') })
recipientFileSchema.index({ workspaceId: 1, campaignId: 1, dueAt: 1 }, { name: 'waiting', ...whereExists('dueAt') })
recipientFileSchema.index({ workspaceId: 1, campaignId: 1, endedAt: 1, state: 1 }, { name: 'ended' })
recipientFileSchema.index({ workspaceId: 1, mediaId: 1 }, { name: 'file', ...whereExists('mediaId') })
recipientFileSchema.index({ keptUntil: 1 }, { name: 'kept', ...whereExists('keptUntil') })
