import type { BotSettings } from '@parley/contracts/automation/bot-settings'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

const botStatuses = ['active', 'paused'] as const

/** A bot without its flow: the draft is in `flowDrafts`, published versions are in `flowVersions`. */
export interface BotRecord {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly nameKey: string
  readonly status: (typeof botStatuses)[number]
  /** Numbers that it answers at; empty: all. */
  readonly numberIds: readonly string[]
  readonly settings: BotSettings
  /** Digest of the draft, and of the published version, without the places of nodes. */
  readonly draftHash: string
  readonly publishedHash?: string | undefined
  readonly publishedVersion?: number | undefined
  /** Bots to which its published flow continues. */
  readonly goesTo: readonly string[]
  /** Bots among `goesTo` that it reaches without asking anything. */
  readonly leadsTo: readonly string[]
  /** Set while it is deleted and can be restored. */
  readonly deletedAt?: Date | undefined
  /** Set with `deletedAt`, for the sweep. */
  readonly removal?: typeof deleted | undefined
  /** Reference moment of the sample data; only for a bot of the sample. */
  readonly sample?: Date | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly version: number
}

export const deleted = 'deleted'

const text = { type: String, required: true }

export const botSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    name: { ...text, maxlength: 80 },
    nameKey: text,
    status: { type: String, enum: botStatuses, required: true },
    numberIds: [String],
    settings: { type: Schema.Types.Mixed, required: true },
    draftHash: text,
    publishedHash: { type: String },
    publishedVersion: { type: Number },
    goesTo: [String],
    leadsTo: [String],
    deletedAt: { type: Date },
    removal: { type: String },
    sample: { type: Date },
    version: { type: Number, required: true },
  },
  { timestamps: true, versionKey: false, minimize: false, strict: 'throw', strictQuery: 'throw' },
)
botSchema.index({ workspaceId: 1, deletedAt: 1, nameKey: 1, _id: 1 }, { name: 'name' })
botSchema.index({ removal: 1, deletedAt: 1 }, { name: 'removal', ...whereExists('removal') })
botSchema.index({ workspaceId: 1, sample: 1 }, { name: 'sample', ...whereExists('sample') })
