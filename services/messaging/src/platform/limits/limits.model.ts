import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { Schema } from 'mongoose'

/** Kinds of records of which a workspace has a limited number. */
export type Limited = 'segments' | 'attributes' | 'views' | 'drafts' | 'rateCards' | 'numbers' | 'macros'

interface LimitRecord {
  readonly id: string
  readonly workspaceId: string
  readonly of: Limited
  /** Number of additions. */
  readonly turns: number
}

const limitSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    of: { type: String, required: true },
    turns: { type: Number },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
limitSchema.index({ workspaceId: 1, of: 1 }, { name: 'of', unique: true })

export const limitsModel = (connection: ServiceConnection) =>
  workspaceCollection<LimitRecord>({ connection, name: 'limits', schema: limitSchema })
