import type { TemplateSyncRun } from '@parley/contracts/templates/template-endpoints'
import { Schema } from 'mongoose'

/** Result of one comparison of an account's templates with those at WhatsApp. */
export interface TemplateSyncRunRecord {
  readonly id: string
  readonly workspaceId: string
  readonly businessAccountId: string
  readonly startedAt: Date
  readonly endedAt: Date
  readonly seen: number
  readonly changed: number
  readonly gone: number
  readonly error?: TemplateSyncRun['error']
}

export const templateSyncRunSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    businessAccountId: { type: String, required: true },
    startedAt: { type: Date, required: true },
    endedAt: { type: Date, required: true },
    seen: { type: Number, required: true },
    changed: { type: Number, required: true },
    gone: { type: Number, required: true },
    error: { type: new Schema({ code: String, message: String }, { _id: false, id: false }) },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
templateSyncRunSchema.index({ workspaceId: 1, startedAt: -1, _id: -1 }, { name: 'latest' })
templateSyncRunSchema.index({ workspaceId: 1, businessAccountId: 1, startedAt: -1, _id: -1 }, { name: 'account' })
templateSyncRunSchema.index({ startedAt: 1 }, { name: 'kept', expireAfterSeconds: 90 * 86_400 })
