import type { ResponseTarget } from '@parley/contracts/inbox/response-target'
import { Schema } from 'mongoose'

/** Response target of a workspace; absent until somebody sets one. */
export interface ResponseTargetRecord extends ResponseTarget {
  readonly id: string
}

export const responseTargetSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    firstMinutes: { type: Number, default: null },
    nextMinutes: { type: Number, default: null },
    version: { type: Number, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
responseTargetSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })
