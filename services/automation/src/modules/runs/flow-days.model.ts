import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'
import type { RunRecord } from './runs.model.ts'

/** Figures of runs. */
export interface Tally {
  readonly begun: number
  readonly ended: number
  /** Completed ones after which no person wrote within 24 hours. */
  readonly resolved: number
  /** Completed ones, and those that gave their conversation to people. */
  readonly succeeded: number
}

/** Part of the figures of a flow's runs that began on one day: they are the sum of its parts. */
export interface FlowDayRecord extends Tally {
  readonly id: string
  readonly workspaceId: string
  readonly flowId: string
  /** Day on which the runs began, midnight UTC. */
  readonly day: Date
  /** `sum`; `sample`, as it was told; `before`, of runs from before there were days; or an id, of runs that began together. */
  readonly part: string
  /** Set until it is part of the sum. */
  readonly fresh?: 'new' | undefined
  /** Absent for the sample, which stays until it is cleared. */
  readonly expireAt?: Date | undefined
}

const dayMs = 86_400_000
/** Days are kept for longer than any range that is shown. */
const keptDays = 400
/** Returns the day of a moment, midnight UTC. */
export const dayOf = (at: Date): Date => new Date(Math.floor(at.getTime() / dayMs) * dayMs)
export const dayExpiry = (day: Date): Date => new Date(day.getTime() + keptDays * dayMs)

/** Outcome as which a run is counted. */
export type TalliedAs = NonNullable<RunRecord['talliedAs']>
export const tallyNow = ({ outcome, followedUp }: Pick<RunRecord, 'outcome' | 'followedUp'>): TalliedAs =>
  outcome === 'completed' && followedUp === true ? 'followed_up' : (outcome ?? 'begun')

export const noTally: Tally = { begun: 0, ended: 0, resolved: 0, succeeded: 0 }
export const tallyOf = (as: TalliedAs | undefined): Tally =>
  as === undefined
    ? noTally
    : {
        begun: 1,
        ended: Number(as !== 'begun'),
        resolved: Number(as === 'completed'),
        succeeded: Number(as === 'completed' || as === 'followed_up' || as === 'handed_over'),
      }

/** Adds `times` a tally to another one. */
export const plus = (left: Tally, right: Tally, times = 1): Tally => ({
  begun: left.begun + times * right.begun,
  ended: left.ended + times * right.ended,
  resolved: left.resolved + times * right.resolved,
  succeeded: left.succeeded + times * right.succeeded,
})

const id = { type: Schema.Types.ObjectId, required: true }
const count = { type: Number, default: 0 }

export const flowDaySchema = new Schema(
  {
    workspaceId: id,
    flowId: id,
    day: { type: Date, required: true },
    part: { type: String, required: true },
    fresh: { type: String },
    begun: count,
    ended: count,
    resolved: count,
    succeeded: count,
    expireAt: { type: Date },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
flowDaySchema.index({ workspaceId: 1, flowId: 1, day: 1, part: 1 }, { name: 'days', unique: true })
flowDaySchema.index({ fresh: 1, _id: 1 }, { name: 'fresh', ...whereExists('fresh') })
flowDaySchema.index({ expireAt: 1 }, { name: 'expiry', expireAfterSeconds: 0 })
