import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

export const watched = 'hand-over'

/** A conversation that a bot has handed over to nobody in particular, until it is looked whether somebody has it. */
export interface HandOverRecord {
  readonly id: string
  readonly workspaceId: string
  readonly conversationId: string
  readonly watch: typeof watched
  readonly dueAt: Date
}

const id = { type: Schema.Types.ObjectId, required: true }
export const handOverSchema = new Schema(
  { workspaceId: id, conversationId: id, watch: { type: String }, dueAt: { type: Date, required: true } },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
handOverSchema.index({ workspaceId: 1, conversationId: 1 }, { name: 'conversation', unique: true })
handOverSchema.index({ watch: 1, dueAt: 1 }, { name: 'due', ...whereExists('watch') })
