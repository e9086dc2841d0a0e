import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'
import type { Activity } from './activity.ts'

export const watchedDays = 'days'

/** Figures of a workspace beside its counters; those of the sample data have a record of their own. */
export interface WorkspaceFiguresRecord {
  readonly id: string
  readonly workspaceId: string
  /** Newest first. */
  readonly activities: readonly Activity[]
  /** Set where a worker looks at its days: next at `dueAt`. */
  readonly watch?: typeof watchedDays | undefined
  readonly dueAt?: Date | undefined
  readonly sample?: true | undefined
}

/** Values of one day in UTC, as they were when it began; those of the sample data stand in a record of their own. */
export interface SnapshotRecord {
  readonly id: string
  readonly workspaceId: string
  /** `2026-03-14`. */
  readonly day: string
  readonly activeCampaigns: number
  /** Contacts who were in touch within 7, 30 and 90 days. */
  readonly activeContacts: { readonly in7: number; readonly in30: number; readonly in90: number }
  readonly sample?: true | undefined
}

const workspaceId = { type: Schema.Types.ObjectId, required: true }
const required = { type: String, required: true }
const plain = { _id: false, id: false }
const options = { versionKey: false, strict: 'throw', strictQuery: 'throw' } as const

const activity = {
  key: required,
  kind: required,
  text: required,
  object: { type: new Schema({ kind: required, id: required }, plain), required: true },
  name: { type: String },
  at: { type: Date, required: true },
}

export const workspaceFiguresSchema = new Schema(
  {
    workspaceId,
    activities: { type: [new Schema(activity, plain)], required: true },
    watch: String,
    dueAt: Date,
    sample: Boolean,
  },
  options,
)
workspaceFiguresSchema.index({ workspaceId: 1, sample: -1 }, { name: 'workspace', unique: true })
workspaceFiguresSchema.index(
  { workspaceId: 1, sample: 1 },
  { name: 'sample', partialFilterExpression: { sample: true } },
)
workspaceFiguresSchema.index({ watch: 1, dueAt: 1 }, { name: 'due', ...whereExists('watch') })

export const snapshotSchema = new Schema(
  {
    workspaceId,
    day: required,
    activeCampaigns: { type: Number, required: true },
    activeContacts: { type: new Schema({ in7: Number, in30: Number, in90: Number }, plain), required: true },
    sample: Boolean,
  },
  options,
)
snapshotSchema.index({ workspaceId: 1, day: 1, sample: 1 }, { name: 'day', unique: true })
snapshotSchema.index({ workspaceId: 1, sample: 1 }, { name: 'sample', partialFilterExpression: { sample: true } })
