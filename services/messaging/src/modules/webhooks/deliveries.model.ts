import type { WebhookEvent } from '@parley/contracts/platform/public-events'
import type { WebhookDelivery } from '@parley/contracts/platform/webhooks'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

/** One attempt, without what was sent. */
export interface Attempt {
  readonly at: Date
  readonly ms: number
  /** Absent where no answer came. */
  readonly status?: number | undefined
  readonly error?: string | undefined
  /** Beginning of the answer. */
  readonly answer?: string | undefined
}

/** Kept of one delivery, the latest last. */
export const maxAttemptsKept = 20

/** An event for a webhook. Its body is rendered when it is sent and never stored. */
export interface DeliveryRecord {
  readonly id: string
  readonly workspaceId: string
  readonly webhookId: string
  /** Number of the event in the log, and number among the public events of it; a test has none. */
  readonly seq?: number | undefined
  readonly n?: number | undefined
  readonly eventId: string
  readonly type: WebhookEvent
  readonly conversationId?: string | undefined
  /** Trace in which its event was recorded (W3C Trace Context). */
  readonly traceparent?: string | undefined
  readonly state: WebhookDelivery['state']
  /** 1 behind live traffic: a replay of many. */
  readonly rank: 0 | 1
  readonly at: Date
  /** Absent once nothing is attempted any more. */
  readonly nextAttemptAt?: Date | undefined
  readonly claim?: string | undefined
  readonly leaseUntil?: Date | undefined
  /** Attempts of its schedule: those made to find out whether a failed receiver is back do not count. */
  readonly tries: number
  readonly attempts: number
  readonly log: readonly Attempt[]
  /** SHA-256 of the body that was sent last. */
  readonly sha256?: string | undefined
  readonly test?: true | undefined
  readonly expiresAt: Date
  readonly createdAt: Date
}

const bySequence = (left: DeliveryRecord, right: DeliveryRecord): number =>
  left.rank - right.rank || (left.seq ?? 0) - (right.seq ?? 0) || (left.n ?? 0) - (right.n ?? 0)

/** Returns deliveries by conversation, those of each in the order of their events; one without a conversation stands alone. */
export const threadsIn = (rows: readonly DeliveryRecord[]): DeliveryRecord[][] => [
  ...Map.groupBy(rows.toSorted(bySequence), ({ conversationId, id }) => conversationId ?? id).values(),
]

const plain = { _id: false, id: false }
const text = { type: String, required: true }

export const deliverySchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    webhookId: { type: Schema.Types.ObjectId, required: true },
    seq: { type: Number },
    n: { type: Number },
    eventId: text,
    type: text,
    conversationId: { type: Schema.Types.ObjectId },
    traceparent: { type: String },
    state: text,
    rank: { type: Number, required: true },
    at: { type: Date, required: true },
    nextAttemptAt: { type: Date },
    claim: { type: String },
    leaseUntil: { type: Date },
    tries: { type: Number, required: true, default: 0 },
    attempts: { type: Number, required: true, default: 0 },
    log: {
      type: [new Schema({ at: Date, ms: Number, status: Number, error: String, answer: String }, plain)],
      default: [],
    },
    sha256: { type: String },
    test: { type: Boolean },
    expiresAt: { type: Date, required: true },
  },
  { timestamps: { updatedAt: false }, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
deliverySchema.index(
  { workspaceId: 1, webhookId: 1, seq: 1, n: 1 },
  { name: 'event', unique: true, ...whereExists('seq') },
)
deliverySchema.index(
  { workspaceId: 1, webhookId: 1, state: 1, rank: 1, nextAttemptAt: 1, seq: 1 },
  { name: 'due', ...whereExists('nextAttemptAt') },
)
deliverySchema.index({ workspaceId: 1, webhookId: 1, at: -1, _id: -1 }, { name: 'log' })
deliverySchema.index({ workspaceId: 1, webhookId: 1, state: 1, type: 1, at: -1, _id: -1 }, { name: 'outcomes' })
deliverySchema.index({ workspaceId: 1, conversationId: 1 }, { name: 'conversation', ...whereExists('conversationId') })
deliverySchema.index({ expiresAt: 1 }, { name: 'expiry', expireAfterSeconds: 0 })
