import { Schema } from 'mongoose'

/** One input that a run took. */
export interface RunInputRecord {
  readonly id: string
  readonly workspaceId: string
  readonly runId: string
  readonly inputNo: number
  readonly at: Date
  readonly flowId: string
  readonly number: number
  /** `TakenInput` as JSON, for names in it may hold dots and dollars; empty: it was too large to be kept. */
  readonly taken: string
}

/** Kept as long as events, without which they are of no use. */
const keptSeconds = 30 * 86_400

const id = { type: Schema.Types.ObjectId, required: true }
const number = { type: Number, required: true }

export const runInputSchema = new Schema(
  {
    workspaceId: id,
    runId: id,
    inputNo: number,
    at: { type: Date, required: true },
    flowId: id,
    number,
    taken: String,
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
runInputSchema.index({ workspaceId: 1, runId: 1, inputNo: 1 }, { name: 'run', unique: true })
runInputSchema.index({ at: 1 }, { name: 'kept', expireAfterSeconds: keptSeconds })
