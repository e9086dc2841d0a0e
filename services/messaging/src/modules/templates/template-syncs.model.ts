import { Schema } from 'mongoose'

/** Schedule of an account's comparison with WhatsApp, and the result of the last one. */
export interface TemplateSyncRecord {
  readonly id: string
  readonly workspaceId: string
  readonly businessAccountId: string
  readonly watch: 'templates'
  readonly nextAt: Date
  /** Set while a run is under way. */
  readonly startedAt?: Date | undefined
  readonly syncedAt?: Date | undefined
  readonly problem?: string | undefined
  /** Time at which the account's forms were read last, and why they could not be since. */
  readonly formsReadAt?: Date | undefined
  readonly formsProblem?: string | undefined
}

export const templateSyncSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    businessAccountId: { type: String, required: true },
    watch: { type: String, required: true },
    nextAt: { type: Date, required: true },
    startedAt: { type: Date },
    syncedAt: { type: Date },
    problem: { type: String },
    formsReadAt: { type: Date },
    formsProblem: { type: String },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
templateSyncSchema.index({ workspaceId: 1, businessAccountId: 1 }, { name: 'account', unique: true })
templateSyncSchema.index({ watch: 1, nextAt: 1 }, { name: 'due' })
