import type { NumberCheck, WhatsAppNumber } from '@parley/contracts/channel/numbers'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

/** A step of the check list as it is stored. */
export type CheckRecord = Omit<NumberCheck, 'at'> & { readonly at: Date }

/** Facts that WhatsApp reports about a number. */
export interface NumberFacts {
  readonly quality: WhatsAppNumber['quality']
  readonly nameStatus: WhatsAppNumber['nameStatus']
  readonly verificationStatus: WhatsAppNumber['verificationStatus']
  /** Customers a day that a conversation may be opened with; null is unlimited. */
  readonly messagingLimit: number | null
  readonly throughputPerSecond: number
}

/** A WhatsApp business number; one that is removed stays, for the sake of its conversations. */
export interface NumberRecord extends NumberFacts {
  readonly id: string
  readonly workspaceId: string
  readonly displayName: string
  /** Phone number in E.164. */
  readonly phoneNumber: string
  readonly phoneNumberId: string
  /** The phone number id again, while it is connected: no other workspace can connect it then. */
  readonly connected?: string | undefined
  readonly removedAt?: Date | undefined
  readonly businessAccountId: string
  /** Base of the Graph API: the real one, or a simulator's. */
  readonly graphUrl: string
  readonly simulated: boolean
  readonly phonePageUrl?: string | undefined
  readonly status: WhatsAppNumber['status']
  /** Sealed token; empty once the number is removed. */
  readonly accessToken: string
  readonly tokenLast4: string
  readonly tokenSetAt: Date
  readonly tokenExpiresAt?: Date | undefined
  readonly isDefault: boolean
  /** Set while sending is stopped, with the reason for people. */
  readonly stopped?: { readonly code: number; readonly reason: string; readonly at: Date } | undefined
  readonly checks: readonly CheckRecord[]
  /** Last problem that the platform reported. */
  readonly lastError?: { readonly code: number; readonly title: string; readonly at: Date } | undefined
  /** The chats of before, of a number that was used in the WhatsApp Business app. */
  readonly history?:
    | {
        readonly state: 'running' | 'done' | 'declined'
        /** Percent. */
        readonly progress: number
        readonly reason?: string | undefined
        readonly at: Date
      }
    | undefined
  /** Webhooks of unknown kinds. */
  readonly unknownFields?:
    | readonly { readonly field: string; readonly count: number; readonly lastAt: Date }[]
    | undefined
  /** Part of the sample data. */
  readonly sample?: true | undefined
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

const text = { type: String, required: true }
const plain = { _id: false, id: false }

export const numberSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    displayName: text,
    phoneNumber: text,
    phoneNumberId: text,
    connected: { type: String },
    removedAt: { type: Date },
    businessAccountId: text,
    graphUrl: text,
    simulated: { type: Boolean, required: true },
    phonePageUrl: { type: String },
    status: { type: String, enum: ['active', 'pending', 'disconnected'], required: true },
    quality: { type: String, enum: ['high', 'medium', 'low', 'unknown'], required: true },
    nameStatus: { type: String, enum: ['approved', 'pending', 'declined', 'unknown'], required: true },
    verificationStatus: { type: String, enum: ['verified', 'pending'], required: true },
    messagingLimit: { type: Number, default: null },
    throughputPerSecond: { type: Number, required: true },
    accessToken: { type: String },
    tokenLast4: { type: String },
    tokenSetAt: { type: Date },
    tokenExpiresAt: { type: Date },
    isDefault: { type: Boolean, required: true },
    stopped: { type: new Schema({ code: Number, reason: String, at: Date }, plain) },
    checks: {
      type: [new Schema({ step: String, state: String, message: String, advice: String, at: Date }, plain)],
      required: true,
    },
    lastError: { type: new Schema({ code: Number, title: String, at: Date }, plain) },
    history: { type: new Schema({ state: String, progress: Number, reason: String, at: Date }, plain) },
    unknownFields: { type: [new Schema({ field: String, count: Number, lastAt: Date }, plain)], default: undefined },
    sample: { type: Boolean },
    version: { type: Number, required: true },
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
numberSchema.index({ workspaceId: 1, _id: 1 }, { name: 'workspace' })
numberSchema.index({ workspaceId: 1, sample: 1 }, { name: 'sample', partialFilterExpression: { sample: true } })
// Only a connected number is unique: a removed one can be connected again, elsewhere too.
numberSchema.index({ connected: 1 }, { name: 'connected', unique: true, ...whereExists('connected') })
numberSchema.index({ businessAccountId: 1 }, { name: 'account', ...whereExists('connected') })
numberSchema.index({ workspaceId: 1, phoneNumberId: 1 }, { name: 'own', unique: true })
// Counts what alerts ask for every few seconds without reading a record.
numberSchema.index({ status: 1, simulated: 1, 'stopped.at': 1 }, { name: 'stopped', ...whereExists('stopped.at') })

/** Data of a number that changes constantly, apart from the record that people edit. */
export interface ActivityRecord {
  readonly id: string
  readonly workspaceId: string
  readonly numberId: string
  readonly watch: 'numbers'
  /** Time at which WhatsApp is next asked about the number. */
  readonly nextCheckAt: Date
  /** Time of its latest webhook. */
  readonly lastEventAt?: Date | undefined
}

export const activitySchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    numberId: { type: Schema.Types.ObjectId, required: true },
    watch: text,
    nextCheckAt: { type: Date, required: true },
    lastEventAt: { type: Date },
  },
  { timestamps: false, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
activitySchema.index({ workspaceId: 1, numberId: 1 }, { name: 'number', unique: true })
activitySchema.index({ watch: 1, nextCheckAt: 1 }, { name: 'due' })
