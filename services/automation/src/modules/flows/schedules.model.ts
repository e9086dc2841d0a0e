import type { Timing } from '@parley/contracts/automation/schedule'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

export const scheduled = 'schedules'

/** Schedule of an active workflow, one for each trigger that has one. It is there while the workflow is active. */
export interface ScheduleRecord {
  readonly id: string
  readonly workspaceId: string
  readonly flowId: string
  readonly nodeId: string
  readonly timing: Timing
  readonly segmentId: string
  /** Next start, and its place in the pattern; absent once there is none any more. */
  readonly nextAt?: Date | undefined
  readonly slot?: string | undefined
  readonly watch?: typeof scheduled | undefined
}

/** A start that was made, or missed: it is not made again. */
export interface ScheduledStartRecord {
  readonly id: string
  readonly flowId: string
  readonly nodeId: string
  readonly slot: string
  readonly at: Date
  /** Set where nothing ran at its time. */
  readonly missed?: boolean | undefined
}

/** Far longer than a clock can be behind. */
const keptSeconds = 90 * 86_400

const text = { type: String, required: true }
const id = { type: Schema.Types.ObjectId, required: true }
const options = { versionKey: false, strict: 'throw', strictQuery: 'throw' } as const

export const scheduleSchema = new Schema(
  {
    workspaceId: id,
    flowId: id,
    nodeId: text,
    timing: { type: Schema.Types.Mixed, required: true },
    segmentId: text,
    nextAt: { type: Date },
    slot: { type: String },
    watch: { type: String },
  },
  options,
)
scheduleSchema.index({ workspaceId: 1, flowId: 1, nodeId: 1 }, { name: 'node', unique: true })
scheduleSchema.index({ watch: 1, nextAt: 1 }, { name: 'due', ...whereExists('watch') })

export const scheduledStartSchema = new Schema(
  {
    workspaceId: id,
    flowId: id,
    nodeId: text,
    slot: text,
    at: { type: Date, required: true },
    missed: { type: Boolean },
  },
  options,
)
scheduledStartSchema.index({ workspaceId: 1, flowId: 1, nodeId: 1, slot: 1 }, { name: 'slot', unique: true })
scheduledStartSchema.index({ at: 1 }, { name: 'kept', expireAfterSeconds: keptSeconds })
