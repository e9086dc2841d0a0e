import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'
import type { MailContent } from './mail-texts.ts'

export const waits = 'waits'

/** A mail to one person. */
export interface MailRecord {
  readonly id: string
  readonly workspaceId: string
  readonly to: string
  readonly template: MailContent['template']
  /** Facts of the text; gone once the mail has left, for it may hold a link that lets somebody in. */
  readonly values?: MailContent['values'] | undefined
  /** `unknown`: the connection was lost after the mail was handed over. */
  readonly state: 'queued' | 'sent' | 'failed' | 'unknown'
  readonly reason?: string | undefined
  readonly tries: number
  /** Set while it is to be sent. */
  readonly pending?: typeof waits | undefined
  /** Time at which it is due; while a worker has it, that at which another one takes over. */
  readonly dueAt: Date
  readonly createdAt: Date
}

const daySeconds = 86_400

export const mailSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    to: { type: String, required: true, maxlength: 254 },
    template: { type: String, required: true },
    values: { type: Schema.Types.Mixed },
    state: { type: String, enum: ['queued', 'sent', 'failed', 'unknown'], required: true },
    reason: { type: String },
    tries: { type: Number, required: true },
    pending: { type: String },
    dueAt: { type: Date, required: true },
  },
  { timestamps: { updatedAt: false }, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
mailSchema.index({ pending: 1, dueAt: 1 }, { name: 'due', ...whereExists('pending') })
mailSchema.index({ pending: 1, createdAt: 1 }, { name: 'oldest', ...whereExists('pending') })
mailSchema.index({ workspaceId: 1 }, { name: 'workspace' })
mailSchema.index({ createdAt: 1 }, { name: 'kept', expireAfterSeconds: 30 * daySeconds })
