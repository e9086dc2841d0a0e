import { Schema } from 'mongoose'

/** Fields to which sealed secrets are bound. */
export const verifyTokenField = 'endpoints.verifyToken'
export const appSecretField = 'endpoints.appSecrets'

/** An app secret that signs webhooks. */
interface AppSecretRecord {
  /** Sealed secret. */
  readonly value: string
  readonly last4: string
  readonly addedAt: Date
  /** True for a secret of the simulator's app: it does not replace the real app's. */
  readonly simulated: boolean
}

/** Address to which WhatsApp sends a workspace's webhooks, and the secrets that prove the sender. */
export interface EndpointRecord {
  readonly id: string
  readonly workspaceId: string
  /** The random part of its address: 128 bits in hexadecimal. */
  readonly publicId: string
  /** Sealed token. */
  readonly verifyToken: string
  readonly verifyTokenLast4: string
  readonly verifyTokenAt: Date
  /** The newest first; two of an app while one replaces the other. */
  readonly appSecrets: readonly AppSecretRecord[]
  readonly version: number
}

export const endpointSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    publicId: { type: String, required: true },
    verifyToken: { type: String, required: true },
    verifyTokenLast4: { type: String, required: true },
    verifyTokenAt: { type: Date, required: true },
    appSecrets: {
      type: [
        new Schema(
          {
            value: { type: String, required: true },
            last4: { type: String, required: true },
            addedAt: { type: Date, required: true },
            simulated: { type: Boolean, required: true },
          },
          { _id: false, id: false },
        ),
      ],
      required: true,
    },
    version: { type: Number, required: true },
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
endpointSchema.index({ publicId: 1 }, { name: 'address', unique: true })
endpointSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })
