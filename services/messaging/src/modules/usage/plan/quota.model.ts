import type { Plan } from '@parley/contracts/usage/plans'
import { Schema } from 'mongoose'

/** Plan of a workspace; without one it has the free trial. */
export interface WorkspacePlanRecord {
  readonly id: string
  readonly plan: Plan['id']
  /** Set for a workspace of a person who has had their trial in another: it begins as one whose trial is over. */
  readonly noTrial?: true | undefined
  /** Plan that follows it, from a day of the workspace's zone on. */
  readonly next?: { readonly plan: Plan['id']; readonly from: string } | undefined
  /** Moment of the sample data on top of which it was chosen: periods and past stay those of the sample while that is loaded. */
  readonly sampleToldAt?: Date | undefined
  /** Source of the choice, and its time. */
  readonly source?: PlanSource | undefined
  readonly at?: Date | undefined
  /** Plans before it, the earliest first. Absent where it was set by a version that kept none. */
  readonly history?: readonly PastPlan[] | undefined
}

/** A plan, and since when it counted. */
export interface PastPlan {
  readonly plan: Plan['id']
  readonly at: Date
}
/** Plans of the past that are kept. */
export const maxPastPlans = 50

/** Owner in the app, or operator of Parley. */
export type PlanSource = 'owner' | 'operator'

/** Credits that campaigns take of one period, by their ids. It is made when the first of them is launched. */
export interface UsagePeriodRecord {
  readonly id: string
  /** Names the period: `months/3`, the fourth month of a workspace. It stays where a change of the zone moves its midnights. */
  readonly period: string
  /** Credits for recipients who wait for the campaign, or may have got it. */
  readonly holds: Readonly<Record<string, number>>
  readonly used: Readonly<Record<string, number>>
}

const workspaceId = { type: Schema.Types.ObjectId, required: true }
const text = { type: String, required: true }
const options = { versionKey: false, strict: 'throw', strictQuery: 'throw', minimize: false } as const

export const workspacePlanSchema = new Schema(
  {
    workspaceId,
    plan: text,
    noTrial: Boolean,
    next: { type: new Schema({ plan: text, from: text }, { _id: false, id: false }) },
    sampleToldAt: Date,
    source: { type: String, enum: ['owner', 'operator'] },
    at: Date,
    history: {
      type: [new Schema({ plan: text, at: { type: Date, required: true } }, { _id: false, id: false })],
      default: undefined,
    },
  },
  options,
)
workspacePlanSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })

export const usagePeriodSchema = new Schema(
  {
    workspaceId,
    period: { type: String, required: true },
    holds: { type: Schema.Types.Mixed, required: true },
    used: { type: Schema.Types.Mixed, required: true },
  },
  options,
)
usagePeriodSchema.index({ workspaceId: 1, period: 1 }, { name: 'period', unique: true })
