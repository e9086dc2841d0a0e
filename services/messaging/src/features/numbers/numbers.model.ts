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
    version: { type: Number, required: true },
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
