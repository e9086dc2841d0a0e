import type { RunStep } from '@parley/contracts/automation/runs'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

/** Code of a step that was done, and whose message did not reach the customer. */
export const notDelivered = 'not_delivered'

/** One step of a run, without text of messages. */
export interface StepRecord extends Omit<RunStep, 'at'> {
  readonly id: string
  readonly runId: string
  readonly at: Date
  readonly flowId: string
  readonly number: number
  /** Set on the first step of a visit to the node. */
  readonly entered?: true | undefined
  /** Branch by which the node was left; `bot` for one that continues in another bot. */
  readonly left?: string | undefined
  /** Set until it is part of the counts. */
  readonly uncounted?: 'new' | undefined
}

const text = { type: String, required: true }
const id = { type: Schema.Types.ObjectId, required: true }
const number = { type: Number, required: true }

/** Steps are kept as long as runs, which live for 60 days and are kept for 90. */
const keptSeconds = 150 * 86_400

export const stepSchema = new Schema(
  {
    workspaceId: id,
    runId: id,
    n: number,
    at: { type: Date, required: true },
    flowId: id,
    number,
    nodeId: text,
    kind: text,
    branch: { type: String },
    action: { type: String },
    outcome: { type: String },
    code: { type: String },
    messageId: { type: Schema.Types.ObjectId },
    call: { type: Schema.Types.Mixed },
    entered: { type: Boolean },
    left: { type: String },
    uncounted: { type: String },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
stepSchema.index({ workspaceId: 1, runId: 1, n: 1 }, { name: 'run', unique: true })
stepSchema.index(
  { workspaceId: 1, messageId: 1 },
  { name: 'message', partialFilterExpression: { messageId: { $exists: true } } },
)
stepSchema.index({ uncounted: 1, _id: 1 }, { name: 'uncounted', ...whereExists('uncounted') })
stepSchema.index({ at: 1 }, { name: 'kept', expireAfterSeconds: keptSeconds })
