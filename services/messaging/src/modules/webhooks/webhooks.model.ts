import type { WebhookEvent } from '@parley/contracts/platform/public-events'
import type { Webhook } from '@parley/contracts/platform/webhooks'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

/** A signing key, sealed. */
export interface WebhookSecret {
  readonly sealed: string
  readonly last4: string
  readonly at: Date
  /** It signs beside the newer one until then. */
  readonly until?: Date | undefined
  /** Intent of the call that made it: a repetition of that call makes no other. */
  readonly intent?: string | undefined
}

/** Failed attempts in a row. */
export interface Failing {
  readonly since: Date
  readonly lastAt: Date
  readonly count: number
  /** Status of the latest answer; absent where none came. */
  readonly status?: number | undefined
  /** Time at which the next waiting delivery is attempted, once the webhook has failed. */
  readonly probeAt?: Date | undefined
}

/** An outbound webhook. What people edit has a `revision`; its counters and its state change with every slice of deliveries. */
export interface WebhookRecord {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly status: Webhook['status']
  /** The newest first, two at most. */
  readonly secrets: readonly WebhookSecret[]
  readonly failing?: Failing | undefined
  readonly disabledFor?: 'failing' | 'gone' | undefined
  readonly disabledAt?: Date | undefined
  readonly totalCalls: number
  readonly okCalls: number
  readonly lastTriggeredAt?: Date | undefined
  /** Time at which the next of its deliveries is due; absent where none waits. */
  readonly dueAt?: Date | undefined
  /** Counts up with new deliveries: who sets `dueAt` has seen them. */
  readonly wakes: number
  readonly revision: number
  /** Part of the sample data: it is never called. */
  readonly sample?: true | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

const plain = { _id: false, id: false }
const text = { type: String, required: true }
const count = { type: Number, required: true, default: 0 }

export const webhookSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    name: text,
    url: text,
    events: { type: [String], required: true },
    status: { type: String, enum: ['active', 'failed', 'disabled'], required: true },
    secrets: {
      type: [
        new Schema(
          { sealed: text, last4: text, at: { type: Date, required: true }, until: Date, intent: String },
          plain,
        ),
      ],
      required: true,
    },
    failing: {
      type: new Schema({ since: Date, lastAt: Date, count: Number, status: Number, probeAt: Date }, plain),
    },
    disabledFor: { type: String, enum: ['failing', 'gone'] },
    disabledAt: { type: Date },
    totalCalls: count,
    okCalls: count,
    lastTriggeredAt: { type: Date },
    dueAt: { type: Date },
    wakes: count,
    revision: { type: Number, required: true },
    sample: { type: Boolean },
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
webhookSchema.index({ workspaceId: 1, url: 1 }, { name: 'url', unique: true })
webhookSchema.index({ workspaceId: 1, createdAt: 1, _id: 1 }, { name: 'list' })
webhookSchema.index({ status: 1, dueAt: 1 }, { name: 'due', ...whereExists('dueAt') })
webhookSchema.index({ workspaceId: 1, sample: 1 }, { name: 'sample', partialFilterExpression: { sample: true } })
