import { Schema } from 'mongoose'

/** A customer, known by a phone number, a business-scoped user id, or both. */
export interface ContactRecord {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  /** E.164. */
  readonly phone?: string | undefined
  readonly waUserId?: string | undefined
  readonly username?: string | undefined
  readonly tags: readonly string[]
  readonly source: 'inbound' | 'import' | 'manual' | 'api'
  readonly blocked: boolean
  /** What the customer has said about marketing; nothing is known where it is absent. */
  readonly optIn?:
    | { readonly marketing: 'unknown' | 'in' | 'out'; readonly source: string; readonly at: Date }
    | undefined
  readonly lastContactAt?: Date | undefined
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const contactSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    phone: { type: String },
    waUserId: { type: String },
    username: { type: String },
    tags: { type: [String], required: true },
    source: { type: String, required: true },
    blocked: { type: Boolean, required: true },
    optIn: { type: new Schema({ marketing: String, source: String, at: Date }, { _id: false }) },
    lastContactAt: { type: Date },
    version: { type: Number, required: true },
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
