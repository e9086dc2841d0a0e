import { Schema } from 'mongoose'
import type { Counts } from './levels.ts'

/**
 * `counted` from events; `erased` is the part of `counted` whose messages were erased with their person, so that rows and this
 * make up `counted`; `sample` is the past that the sample data tells.
 */
const parts = ['counted', 'erased', 'sample'] as const
export type Part = (typeof parts)[number]

/** Counters of one day in UTC, by quarter of an hour: sums over any days of any zone are exact. */
export interface RollupRecord {
  readonly id: string
  readonly workspaceId: string
  /** `workspace`, `number:<id>`, `member:<id>`, `bot:<id>`. */
  readonly scope: string
  /** `2026-03-14`. */
  readonly day: string
  readonly part: Part
  readonly slots: Readonly<Record<string, Counts>>
  readonly sample?: true | undefined
}

export const rollupSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    scope: { type: String, required: true },
    day: { type: String, required: true },
    part: { type: String, enum: parts, required: true },
    slots: { type: Schema.Types.Mixed },
    sample: { type: Boolean },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw', minimize: false },
)
rollupSchema.index({ workspaceId: 1, scope: 1, day: 1, part: 1 }, { name: 'day', unique: true })
rollupSchema.index({ workspaceId: 1, day: 1 }, { name: 'of-day' })
rollupSchema.index({ workspaceId: 1, sample: 1 }, { name: 'sample', partialFilterExpression: { sample: true } })
