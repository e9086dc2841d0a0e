import { Schema } from 'mongoose'

/** A recorded test of a flow. Script and expected lines are JSON: names in them may hold dots and dollars. */
export interface FlowTestRecord {
  readonly id: string
  readonly workspaceId: string
  readonly flowId: string
  readonly name: string
  readonly nameKey: string
  readonly script: string
  readonly expected: string
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

const text = { type: String, required: true }

export const flowTestSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    flowId: { type: Schema.Types.ObjectId, required: true },
    name: { ...text, maxlength: 80 },
    nameKey: text,
    script: text,
    expected: text,
    version: { type: Number, required: true },
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
flowTestSchema.index({ workspaceId: 1, flowId: 1, nameKey: 1, _id: 1 }, { name: 'name' })
