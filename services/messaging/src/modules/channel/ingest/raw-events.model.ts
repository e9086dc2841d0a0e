import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'
import type { EventKind } from '../../../whatsapp/webhook-item.ts'

/** Maximum days for which applied ones are kept. */
export const rawDays = 7

/** One piece of a webhook as it came. It waits in its lane until it is applied, or is dead after three failures. */
export interface RawEventRecord {
  readonly id: string
  readonly workspaceId: string
  /** Lane of waiting work; absent once it is applied or dead. */
  readonly lane?: string | undefined
  readonly kind: EventKind
  readonly field: string
  readonly phoneNumberId?: string | undefined
  /** The WhatsApp Business Account. */
  readonly accountId?: string | undefined
  /** The message that it is about, as the platform names it. */
  readonly waMessageId?: string | undefined
  /** Webhook as JSON text. */
  readonly payload: string
  readonly receivedAt: Date
  /** Trace in which it was received (W3C Trace Context). */
  readonly traceparent?: string | undefined
  readonly tries: number
  readonly error?: string | undefined
  readonly deadAt?: Date | undefined
  readonly appliedAt?: Date | undefined
}

export const rawEventSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    lane: { type: String },
    kind: { type: String, required: true },
    field: { type: String, required: true },
    phoneNumberId: { type: String },
    waMessageId: { type: String },
    accountId: { type: String },
    payload: { type: String, required: true },
    receivedAt: { type: Date, required: true },
    traceparent: { type: String },
    tries: { type: Number, required: true },
    error: { type: String },
    deadAt: { type: Date },
    appliedAt: { type: Date },
  },
  { timestamps: false, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
rawEventSchema.index({ lane: 1, _id: 1 }, { name: 'pending', ...whereExists('lane') })
rawEventSchema.index({ workspaceId: 1 }, { name: 'workspace' })
rawEventSchema.index({ workspaceId: 1, deadAt: -1 }, { name: 'dead', ...whereExists('deadAt') })
rawEventSchema.index({ appliedAt: 1 }, { name: 'kept', expireAfterSeconds: rawDays * 86_400 })
rawEventSchema.index({ workspaceId: 1, waMessageId: 1, _id: 1 }, { name: 'message', ...whereExists('waMessageId') })
// Messages and statuses have an index already; what is about neither is rare.
rawEventSchema.index({ workspaceId: 1, kind: 1 }, { name: 'other', partialFilterExpression: { kind: 'other' } })
// Counts what alerts ask for every few seconds without reading a record.
rawEventSchema.index({ kind: 1, deadAt: 1 }, { name: 'dead-of-kind', ...whereExists('deadAt') })
