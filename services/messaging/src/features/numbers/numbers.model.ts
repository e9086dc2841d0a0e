import { Schema } from 'mongoose'

/** A connected WhatsApp business number. */
export interface NumberRecord {
  readonly id: string
  readonly workspaceId: string
  readonly displayName: string
  /** E.164. */
  readonly phoneNumber: string
  readonly phoneNumberId: string
  readonly businessAccountId: string
  /** Base of the Graph API: the real one, or a simulator's. */
  readonly graphUrl: string
  readonly simulated: boolean
  readonly status: 'active' | 'pending' | 'disconnected'
  readonly quality: 'high' | 'medium' | 'low' | 'unknown'
  /** Sealed. */
  readonly accessToken: string
  readonly isDefault: boolean
  /** Set while sending is stopped, with the reason for people. */
  readonly stopped?: { readonly code: number; readonly reason: string; readonly at: Date } | undefined
  readonly lastEventAt?: Date | undefined
  /** Messages a second; the platform's usual 80 where it is not known. */
  readonly throughputPerSecond?: number | undefined
  /** Customers a day that may be written to first; null is unlimited. */
  readonly messagingLimit?: number | null | undefined
  /** What the platform last said was wrong with it. */
  readonly lastError?: { readonly code: number; readonly title: string; readonly at: Date } | undefined
  /** Webhooks of kinds that nobody here knows. */
  readonly unknownFields?:
    | readonly { readonly field: string; readonly count: number; readonly lastAt: Date }[]
    | undefined
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const numberSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    displayName: { type: String, required: true },
    phoneNumber: { type: String, required: true },
    phoneNumberId: { type: String, required: true },
    businessAccountId: { type: String, required: true },
    graphUrl: { type: String, required: true },
    simulated: { type: Boolean, required: true },
    status: { type: String, enum: ['active', 'pending', 'disconnected'], required: true },
    quality: { type: String, enum: ['high', 'medium', 'low', 'unknown'], required: true },
    accessToken: { type: String, required: true },
    isDefault: { type: Boolean, required: true },
    stopped: { type: new Schema({ code: Number, reason: String, at: Date }, { _id: false }) },
    lastEventAt: { type: Date },
    throughputPerSecond: { type: Number },
    messagingLimit: { type: Number },
    lastError: { type: new Schema({ code: Number, title: String, at: Date }, { _id: false }) },
    unknownFields: {
      type: [new Schema({ field: String, count: Number, lastAt: Date }, { _id: false })],
      default: undefined,
    },
    version: { type: Number, required: true },
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
