import type { ApprovalRules } from '@parley/contracts/campaigns/approvals'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

export interface ApprovalRulesRecord extends ApprovalRules {
  readonly id: string
}

/** State of a draft that a request was made for. A launch of anything else, or to more people, needs another approval. */
export interface ApprovalSubject {
  readonly edition: number
  readonly contentVersion: number
  /** Digests of the conditions of its segments; empty where it has none. */
  readonly conditions: string
  readonly exclusions: string
  readonly recipients: number
}

/** Request of a member to launch a campaign, and what another one has decided. */
export interface ApprovalRecord {
  readonly id: string
  readonly workspaceId: string
  readonly campaignId: string
  readonly campaignName: string
  readonly subject: ApprovalSubject
  readonly state: 'pending' | 'approved' | 'declined' | 'void' | 'used'
  /** Set while it is pending or approved: a draft has one such request. */
  readonly open?: true | undefined
  readonly askedBy: string
  readonly askedAt: Date
  readonly note: string
  readonly expiresAt: Date
  readonly decidedBy?: string | undefined
  readonly decidedAt?: Date | undefined
  readonly reason?: string | undefined
}

const options = { versionKey: false, strict: 'throw', strictQuery: 'throw' } as const
const id = { type: Schema.Types.ObjectId, required: true }
const text = { type: String, default: '' }
const count = { type: Number, required: true }
const plain = { _id: false, id: false } as const
/** Seconds for which a request is kept once its time is over. */
const keptSeconds = 90 * 86_400

export const approvalRulesSchema = new Schema(
  { workspaceId: id, campaignRecipients: { type: Number, min: 0, default: null }, version: count },
  options,
)
approvalRulesSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })

export const approvalSchema = new Schema(
  {
    workspaceId: id,
    campaignId: id,
    campaignName: text,
    subject: {
      type: new Schema(
        { edition: count, contentVersion: count, conditions: text, exclusions: text, recipients: count },
        plain,
      ),
      required: true,
    },
    state: { type: String, required: true, enum: ['pending', 'approved', 'declined', 'void', 'used'] },
    open: { type: Boolean },
    askedBy: { type: String, required: true },
    askedAt: { type: Date, required: true },
    note: text,
    expiresAt: { type: Date, required: true },
    decidedBy: { type: String },
    decidedAt: { type: Date },
    reason: { type: String },
  },
  options,
)
approvalSchema.index({ workspaceId: 1, campaignId: 1 }, { name: 'open', unique: true, ...whereExists('open') })
approvalSchema.index({ workspaceId: 1, campaignId: 1, askedAt: -1, _id: -1 }, { name: 'campaign' })
approvalSchema.index({ workspaceId: 1, state: 1, askedAt: 1 }, { name: 'state' })
approvalSchema.index({ expiresAt: 1 }, { name: 'expiry', expireAfterSeconds: keptSeconds })
