import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

/** Trigger of an active bot: a keyword, or any message. One row for each, however many numbers it listens at. */
export interface TriggerRecord {
  readonly id: string
  readonly flowId: string
  readonly nodeId: string
  readonly match: string
  /** Normalised keyword; for any message `''`, or `first`. */
  readonly key: string
  /** The keyword as it was typed; absent for any message. */
  readonly keyword?: string | undefined
  /** Ids of numbers, or `*` for all. */
  readonly numberIds: readonly string[]
  readonly interrupts?: boolean | undefined
  /** Time at which its bot was made, in milliseconds since 1970: of equals, the oldest wins. */
  readonly order: number
}

/** Number of the routing table of a workspace, and whether messaging knows of it. */
export interface RoutingRecord {
  readonly id: string
  readonly workspaceId: string
  /** Raised by each change of bots: changes that count before they write conflict here, and so run one after the other. */
  readonly turns: number
  /** Raised with every change of triggers. */
  readonly number: number
  /** Time at which a flow last gave up its triggers, because it was paused or deleted. */
  readonly releasedAt?: Date | undefined
  /** Time at which messaging is to be told; absent where it knows. */
  readonly tellAt?: Date | undefined
  readonly watch?: typeof watched | undefined
}

export const watched = 'routing'

const workspaceId = { type: Schema.Types.ObjectId, required: true }
const text = { type: String, required: true }
const options = { versionKey: false, strict: 'throw', strictQuery: 'throw' } as const

export const triggerSchema = new Schema(
  {
    workspaceId,
    flowId: { type: Schema.Types.ObjectId, required: true },
    nodeId: text,
    match: text,
    key: { type: String },
    keyword: { type: String },
    numberIds: { type: [String], required: true },
    interrupts: { type: Boolean },
    order: { type: Number, required: true },
  },
  options,
)
triggerSchema.index({ workspaceId: 1, match: 1, key: 1, numberIds: 1 }, { name: 'owner', unique: true })
triggerSchema.index({ workspaceId: 1, flowId: 1 }, { name: 'flow' })

export const routingSchema = new Schema(
  {
    workspaceId,
    turns: { type: Number },
    number: { type: Number },
    releasedAt: { type: Date },
    tellAt: { type: Date },
    watch: { type: String },
  },
  options,
)
routingSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })
routingSchema.index({ watch: 1, tellAt: 1 }, { name: 'due', ...whereExists('watch') })
