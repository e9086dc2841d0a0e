import { Schema } from 'mongoose'

/** Counts of a workspace that changes are checked against, in one record: two changes at once conflict on it. */
export interface SeatsRecord {
  readonly id: string
  readonly workspaceId: string
  /** Active owners. */
  readonly owners: number
  /** Active members and open invitations. */
  readonly taken: number
  /** Day (UTC) of the latest invitation mail, and how many were sent on it. */
  readonly mailDay?: string | undefined
  readonly mails?: number | undefined
  /** Raised by each new API key: of two made at once one counts the other. */
  readonly keys?: number | undefined
}

export const seatsSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    owners: { type: Number, required: true },
    taken: { type: Number, required: true },
    mailDay: { type: String },
    mails: { type: Number },
    keys: { type: Number },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
seatsSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })
