import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

export const untold = 'no'

/** Something that a person has to look at; equal cases are one entry while it is open. */
export interface AttentionRecord {
  readonly id: string
  readonly state: 'open' | 'dismissed'
  readonly groupKey: string
  readonly code: string
  readonly sentence: string
  readonly flowId?: string | undefined
  readonly nodeId?: string | undefined
  /** Latest run and conversation of the entry. */
  readonly runId?: string | undefined
  readonly conversationId?: string | undefined
  readonly count: number
  readonly firstAt: Date
  readonly lastAt: Date
  /** Set until members are notified of it. */
  readonly told?: typeof untold | undefined
}

const text = { type: String, required: true }
const optionalId = { type: Schema.Types.ObjectId }
const time = { type: Date, required: true }

/** Longer than any record that it points to is kept. */
const keptSeconds = 90 * 86_400

export const attentionSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    state: { type: String, enum: ['open', 'dismissed'], required: true },
    groupKey: text,
    code: text,
    sentence: text,
    flowId: optionalId,
    nodeId: { type: String },
    runId: optionalId,
    conversationId: optionalId,
    count: { type: Number, required: true },
    firstAt: time,
    lastAt: time,
    told: { type: String },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
attentionSchema.index(
  { workspaceId: 1, groupKey: 1 },
  { name: 'open-group', unique: true, partialFilterExpression: { state: 'open' } },
)
attentionSchema.index({ workspaceId: 1, lastAt: -1, _id: -1 }, { name: 'newest' })
attentionSchema.index({ workspaceId: 1, state: 1, lastAt: -1, _id: -1 }, { name: 'state' })
attentionSchema.index({ workspaceId: 1, flowId: 1, state: 1, lastAt: -1, _id: -1 }, { name: 'flow' })
attentionSchema.index({ workspaceId: 1, conversationId: 1 }, { name: 'conversation' })
attentionSchema.index({ workspaceId: 1, state: 1, conversationId: 1, flowId: 1 }, { name: 'open-of-conversation' })
attentionSchema.index({ told: 1, workspaceId: 1, firstAt: 1 }, { name: 'untold', ...whereExists('told') })
attentionSchema.index({ lastAt: 1 }, { name: 'kept', expireAfterSeconds: keptSeconds })
