import { Schema } from 'mongoose'

/** Visits of a node by the runs that began on one day: entered, left by a branch, given up there, refused. */
export interface RunCountRecord {
  readonly id: string
  readonly flowId: string
  /** Version on which the visit happened. */
  readonly number: number
  /** Day on which the runs began, midnight UTC. */
  readonly day: Date
  readonly nodeId: string
  /** `entered`, `dropped`, `failed`, or `left:` with the branch. */
  readonly what: string
  readonly count: number
}

const id = { type: Schema.Types.ObjectId, required: true }
const number = { type: Number, required: true }
const text = { type: String, required: true }

/** Counts are kept for longer than any range that is shown. */
const keptSeconds = 400 * 86_400

export const runCountSchema = new Schema(
  {
    workspaceId: id,
    flowId: id,
    number,
    day: { type: Date, required: true },
    nodeId: text,
    what: text,
    count: number,
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
runCountSchema.index(
  { workspaceId: 1, flowId: 1, day: 1, number: 1, nodeId: 1, what: 1 },
  { name: 'visits', unique: true },
)
runCountSchema.index({ day: 1 }, { name: 'kept', expireAfterSeconds: keptSeconds })
