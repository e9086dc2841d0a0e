import { Schema } from 'mongoose'

/** A contact that a job has changed, and what an undo needs of it. */
export interface ChangedContact {
  readonly id: string
  /** `editedVersion` after the change. */
  readonly version: number
  /** Tags before the change. */
  readonly tags: readonly string[]
}

/** Contacts that one step of a job has changed. */
export interface ChangedBatchRecord {
  readonly id: string
  readonly workspaceId: string
  readonly jobId: string
  readonly batch: number
  readonly contacts: readonly ChangedContact[]
  readonly expiresAt: Date
}

export const changedBatchSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    jobId: { type: Schema.Types.ObjectId, required: true },
    batch: { type: Number, required: true },
    contacts: { type: Schema.Types.Mixed, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
changedBatchSchema.index({ workspaceId: 1, jobId: 1, batch: 1 }, { name: 'batch', unique: true })
changedBatchSchema.index({ expiresAt: 1 }, { name: 'expiry', expireAfterSeconds: 0 })
