import type { Plan } from '@parley/contracts/plans'
import { Schema } from 'mongoose'

/** Which plan a workspace is on; without one it has the free trial. */
export interface WorkspacePlanRecord {
  readonly id: string
  readonly plan: Plan['id']
}

/** What campaigns take of one period, in credits, by their ids. It is made when the first of them is launched. */
export interface UsagePeriodRecord {
  readonly id: string
  /** Names the period: `months/3`, the fourth month of a workspace. It stays where a change of the zone moves its midnights. */
  readonly period: string
  /** For whoever waits for the campaign, or may have got it. */
  readonly holds: Readonly<Record<string, number>>
  readonly used: Readonly<Record<string, number>>
}

const workspaceId = { type: Schema.Types.ObjectId, required: true }
const options = { versionKey: false, strict: 'throw', strictQuery: 'throw', minimize: false } as const

export const workspacePlanSchema = new Schema({ workspaceId, plan: { type: String, required: true } }, options)

export const usagePeriodSchema = new Schema(
  {
    workspaceId,
    period: { type: String, required: true },
    holds: { type: Schema.Types.Mixed, required: true },
    used: { type: Schema.Types.Mixed, required: true },
  },
  options,
)
