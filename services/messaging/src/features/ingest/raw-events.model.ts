import { Schema } from 'mongoose'
import type { EventKind } from '../../whatsapp/webhook-item.ts'

/** One piece of a webhook as it came. It waits in its lane until it is applied, or is dead after three failures. */
export interface RawEventRecord {
  readonly id: string
  readonly workspaceId: string
  /** Of work that waits; absent once it is applied or dead. */
  readonly lane?: string | undefined
  readonly kind: EventKind
  readonly field: string
  readonly phoneNumberId?: string | undefined
  /** The WhatsApp Business Account. */
  readonly accountId?: string | undefined
  /** The message that it is about, as the platform names it. */
  readonly waMessageId?: string | undefined
  /** JSON. */
  readonly payload: string
  readonly receivedAt: Date
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
    tries: { type: Number, required: true },
    error: { type: String },
    deadAt: { type: Date },
    appliedAt: { type: Date },
  },
  { timestamps: false, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
