import { Schema } from 'mongoose'

/** Number under which the draft of a flow is stored. */
export const draftNumber = 0

/** A flow as JSON, beside what lists show: names in it may hold dots and dollars. */
export interface FlowTextRecord {
  readonly id: string
  readonly flowId: string
  /** Number of its version, or {@link draftNumber}. */
  readonly number: number
  readonly flow: string
}

/** A published version; never changed. */
export interface FlowVersionRecord {
  readonly id: string
  readonly flowId: string
  readonly number: number
  readonly hash: string
  readonly note?: string | undefined
  /** Number of the version that was published once more. */
  readonly restoredFrom?: number | undefined
  readonly publishedBy: string
  readonly publishedAt: Date
}

const common = {
  workspaceId: { type: Schema.Types.ObjectId, required: true },
  flowId: { type: Schema.Types.ObjectId, required: true },
  number: { type: Number, required: true },
}
const text = { type: String, required: true }
const options = { versionKey: false, strict: 'throw', strictQuery: 'throw' } as const

export const flowTextSchema = new Schema({ ...common, flow: text }, options)
flowTextSchema.index({ workspaceId: 1, flowId: 1, number: -1 }, { name: 'number', unique: true })

export const flowVersionSchema = new Schema(
  {
    ...common,
    hash: text,
    note: { type: String },
    restoredFrom: { type: Number },
    publishedBy: text,
    publishedAt: { type: Date, required: true },
  },
  options,
)
flowVersionSchema.index({ workspaceId: 1, flowId: 1, number: -1 }, { name: 'number', unique: true })
