import type { OpeningHours } from '@parley/contracts/inbox/opening-hours'
import { Schema } from 'mongoose'

/** Opening hours of a workspace; absent until somebody sets them. */
export interface OpeningHoursRecord extends Omit<OpeningHours, 'awayAnswer'> {
  /** Absent in records of earlier versions. */
  readonly awayAnswer?: string | undefined
  readonly id: string
}

const text = { type: String, required: true }

export const openingHoursSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    timeZone: text,
    spans: [new Schema({ day: { type: Number, required: true }, from: text, to: text }, { _id: false, id: false })],
    closedOn: { type: [String], required: true },
    awayAnswer: { type: String },
    version: { type: Number, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
openingHoursSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })
