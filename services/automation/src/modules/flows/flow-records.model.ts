import type { BotSettings } from '@parley/contracts/automation/bot-settings'
import { flowStatuses } from '@parley/contracts/automation/flow-summary'
import type { Enrolment } from '@parley/contracts/automation/workflows'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

/** A bot or workflow without its flow: the draft and published versions are in `flows`. */
export interface FlowRecord {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly nameKey: string
  readonly status: (typeof flowStatuses)[number]
  /** Numbers at which a bot answers; empty: all. */
  readonly numberIds: readonly string[]
  /** Settings of a bot. */
  readonly settings?: BotSettings | undefined
  /** Settings of a workflow. */
  readonly enrolment?: Enrolment | undefined
  /** Events on which the published version of a workflow starts. */
  readonly events?: readonly string[] | undefined
  /** Nodes of a workflow's draft. */
  readonly counts?: { readonly triggers: number; readonly actions: number } | undefined
  /** Digest of the draft, and of the published version, without the places of nodes. */
  readonly draftHash: string
  readonly publishedHash?: string | undefined
  readonly publishedVersion?: number | undefined
  /** Bots to which its published flow continues. */
  readonly goesTo: readonly string[]
  /** Bots among `goesTo` that it reaches without asking anything. */
  readonly leadsTo: readonly string[]
  /** Connections that its published flow calls, and those of its draft. */
  readonly connections?: readonly string[] | undefined
  readonly draftConnections?: readonly string[] | undefined
  /** Set while it is deleted and can be restored. */
  readonly deletedAt?: Date | undefined
  /** Set with `deletedAt`, for the sweep. */
  readonly removal?: typeof deleted | undefined
  /** Reference moment of the sample data; only for a flow of the sample. */
  readonly sample?: Date | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

export const deleted = 'deleted'

const text = { type: String, required: true }

export const flowRecordSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    name: { ...text, maxlength: 80 },
    nameKey: text,
    status: { type: String, enum: flowStatuses, required: true },
    numberIds: [String],
    settings: { type: Schema.Types.Mixed },
    enrolment: { type: Schema.Types.Mixed },
    events: { type: [String], default: undefined },
    counts: { type: Schema.Types.Mixed },
    draftHash: text,
    publishedHash: { type: String },
    publishedVersion: { type: Number },
    goesTo: [String],
    leadsTo: [String],
    connections: { type: [String], default: undefined },
    draftConnections: { type: [String], default: undefined },
    deletedAt: { type: Date },
    removal: { type: String },
    sample: { type: Date },
    version: { type: Number, required: true },
  },
  { timestamps: true, versionKey: false, minimize: false, strict: 'throw', strictQuery: 'throw' },
)
flowRecordSchema.index({ workspaceId: 1, deletedAt: 1, nameKey: 1, _id: 1 }, { name: 'name' })
flowRecordSchema.index({ removal: 1, deletedAt: 1 }, { name: 'removal', ...whereExists('removal') })
flowRecordSchema.index({ workspaceId: 1, sample: 1 }, { name: 'sample', ...whereExists('sample') })
