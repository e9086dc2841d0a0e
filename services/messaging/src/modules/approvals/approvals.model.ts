import type { ApprovalRules, AskedAction } from '@parley/contracts/platform/approvals'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

export interface ApprovalRulesRecord extends ApprovalRules {
  readonly id: string
}

/** State of a draft that a request was made for. A launch of anything else, or to more people, needs another approval. */
export interface LaunchSubject {
  readonly edition: number
  readonly contentVersion: number
  /** Digests of the conditions of its segments; empty where it has none. */
  readonly conditions: string
  readonly exclusions: string
  readonly recipients: number
  /** Absent in requests of older versions. */
  readonly costMicros?: number | undefined
  /** Absent without a price list, and in requests of older versions. */
  readonly currency?: string | undefined
  readonly unpriced?: number | undefined
}

/** Contacts that a request is about, as they were at the request. */
interface SelectedSubject {
  readonly contacts: number
  /** Selection, in words. */
  readonly filter: string
  /** Digest of the conditions of their segment; empty where they are selected without. */
  readonly conditions: string
  /** Ids after it were given later: these contacts are no part of what was asked for. */
  readonly upTo: string
}

/** Action as it was sent, and its subject at the time of the request. */
export type AskedSubject =
  | (Exclude<AskedAction, { kind: 'number_removal' }> & SelectedSubject)
  | (Extract<AskedAction, { kind: 'number_removal' }> & { readonly name: string })

/** Subject of a request: a draft, or an action, whose key names it by its kind and a digest of what it is done to. */
export type ApprovalPlace = { readonly campaignId: string } | { readonly key: string }

/** Request of a member to do something, and what another one has decided. */
export interface ApprovalRecord {
  readonly id: string
  readonly workspaceId: string
  /** Set for the launch of a campaign, with `subject`; for any other action `key` and `asked` are. */
  readonly campaignId?: string | undefined
  readonly campaignName?: string | undefined
  readonly subject?: LaunchSubject | undefined
  readonly key?: string | undefined
  readonly asked?: AskedSubject | undefined
  readonly state: 'pending' | 'approved' | 'declined' | 'void' | 'used'
  /** Set while it is pending or approved: of one thing there is one such request. */
  readonly open?: true | undefined
  /** Change that was found when it was to be done. */
  readonly changed?: string | undefined
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
const limit = { type: Number, min: 0, default: null }
const plain = { _id: false, id: false } as const
/** Seconds for which a request is kept once its time is over. */
const keptSeconds = 90 * 86_400

export const approvalRulesSchema = new Schema(
  {
    workspaceId: id,
    campaignRecipients: limit,
    campaignCost: limit,
    exportedContacts: limit,
    deletedContacts: limit,
    numberRemoval: { type: Boolean, default: false },
    version: count,
  },
  options,
)
approvalRulesSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })

export const approvalSchema = new Schema(
  {
    workspaceId: id,
    campaignId: { type: Schema.Types.ObjectId },
    campaignName: { type: String },
    subject: {
      type: new Schema(
        {
          ...{ edition: count, contentVersion: count, conditions: text, exclusions: text, recipients: count },
          costMicros: { type: Number },
          currency: { type: String },
          unpriced: { type: Number },
        },
        plain,
      ),
    },
    key: { type: String },
    asked: { type: Schema.Types.Mixed },
    state: { type: String, required: true, enum: ['pending', 'approved', 'declined', 'void', 'used'] },
    open: { type: Boolean },
    changed: { type: String },
    askedBy: { type: String, required: true },
    askedAt: { type: Date, required: true },
    note: text,
    expiresAt: { type: Date, required: true },
    decidedBy: { type: String },
    decidedAt: { type: Date },
    reason: { type: String },
  },
  // A filter of all contacts is an empty object.
  { ...options, minimize: false },
)
// A launch has no key, any other action no campaign.
approvalSchema.index(
  { workspaceId: 1, campaignId: 1, key: 1 },
  { name: 'open_place', unique: true, ...whereExists('open') },
)
approvalSchema.index({ workspaceId: 1, campaignId: 1, askedAt: -1, _id: -1 }, { name: 'campaign' })
approvalSchema.index({ workspaceId: 1, key: 1, askedAt: -1, _id: -1 }, { name: 'key', ...whereExists('key') })
approvalSchema.index({ workspaceId: 1, state: 1, askedAt: 1 }, { name: 'state' })
approvalSchema.index({ expiresAt: 1 }, { name: 'expiry', expireAfterSeconds: keptSeconds })
