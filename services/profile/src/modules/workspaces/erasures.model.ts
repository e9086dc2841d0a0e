import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

/** Services that erase what they have of a workspace; profile itself follows when they are done. */
export const erasingServices = ['messaging', 'automation'] as const
export type ErasingService = (typeof erasingServices)[number]

export const erasing = 'erasing'

/** The erasure of a workspace. It stays, without anything of a person, to say that there was one. */
export interface ErasureRecord {
  readonly id: string
  readonly workspaceId: string
  /** Set until it is done: found across workspaces. */
  readonly open?: typeof erasing | undefined
  /** Cell that held it; absent: the home cell. */
  readonly cell?: string | undefined
  /** Time at which its deletion was asked for. */
  readonly askedAt: Date
  readonly begunAt: Date
  readonly erasedAt?: Date | undefined
  /** Services of which a run has found nothing. */
  readonly done: readonly ErasingService[]
  /** Documents and files that were erased so far. */
  readonly removed: number
}

export const erasureSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    open: { type: String },
    cell: { type: String },
    askedAt: { type: Date, required: true },
    begunAt: { type: Date, required: true },
    erasedAt: { type: Date },
    done: { type: [{ type: String, enum: erasingServices }], required: true },
    removed: { type: Number, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
erasureSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })
erasureSchema.index({ open: 1, begunAt: 1 }, { name: 'open', ...whereExists('open') })
