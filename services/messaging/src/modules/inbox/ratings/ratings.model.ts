import type { RatingSetting } from '@parley/contracts/inbox/ratings'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

/** True where customers are asked; absent until somebody sets it. */
export interface RatingSettingRecord extends RatingSetting {
  readonly id: string
}

/** A question for a rating, and what the customer has answered. */
export interface RatingRecord {
  readonly id: string
  readonly workspaceId: string
  readonly conversationId: string
  readonly contactId: string
  /** User id of the member who wrote last before the conversation was closed. */
  readonly by: string
  readonly askedAt: Date
  /** Absent until it is rated. */
  readonly ratedAt?: Date | undefined
  readonly score?: number | undefined
  readonly comment?: string | undefined
}

const options = { versionKey: false, strict: 'throw', strictQuery: 'throw' } as const
const id = { type: Schema.Types.ObjectId, required: true }

export const ratingSettingSchema = new Schema(
  {
    workspaceId: id,
    enabled: { type: Boolean, required: true },
    question: { type: String, required: true },
    version: { type: Number, required: true },
  },
  options,
)
ratingSettingSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })

export const ratingSchema = new Schema(
  {
    workspaceId: id,
    conversationId: id,
    contactId: id,
    by: { type: String, required: true },
    askedAt: { type: Date, required: true },
    ratedAt: { type: Date },
    score: { type: Number, min: 1, max: 5 },
    comment: { type: String },
  },
  options,
)
ratingSchema.index({ workspaceId: 1, contactId: 1, askedAt: -1 }, { name: 'contact' })
ratingSchema.index({ workspaceId: 1, conversationId: 1, ratedAt: -1 }, { name: 'conversation' })
ratingSchema.index(
  { workspaceId: 1, by: 1, ratedAt: -1, _id: -1, score: 1 },
  { name: 'member', ...whereExists('ratedAt') },
)
ratingSchema.index({ workspaceId: 1, ratedAt: 1, by: 1, score: 1 }, { name: 'rated', ...whereExists('ratedAt') })
