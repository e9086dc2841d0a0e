import { Schema } from 'mongoose'

/** Where WhatsApp sends a workspace's webhooks, and the secrets that prove who sends. */
export interface EndpointRecord {
  readonly id: string
  readonly workspaceId: string
  /** The random part of its address: 128 bits in hexadecimal. */
  readonly publicId: string
  /** Sealed. */
  readonly verifyToken: string
  /** Sealed; two while one replaces the other. */
  readonly appSecrets: readonly string[]
  readonly version: number
}

export const endpointSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    publicId: { type: String, required: true },
    verifyToken: { type: String, required: true },
    appSecrets: { type: [String], required: true },
    version: { type: Number, required: true },
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
