import { Schema } from 'mongoose'

/** Opens of a counted link in a recipient's message. */
export interface LinkClickRecord {
  readonly id: string
  readonly workspaceId: string
  readonly campaignId: string
  /** Id of the message, which is that of the recipient's row. */
  readonly messageId: string
  /** Place of the button in the template, from 0. */
  readonly index: number
  readonly count: number
  readonly firstAt: Date
  readonly lastAt: Date
}

const objectId = { type: Schema.Types.ObjectId, required: true }

export const linkClickSchema = new Schema(
  {
    workspaceId: objectId,
    campaignId: objectId,
    messageId: objectId,
    index: { type: Number, required: true },
    count: { type: Number, required: true },
    firstAt: { type: Date, required: true },
    lastAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
linkClickSchema.index({ workspaceId: 1, messageId: 1, index: 1 }, { name: 'link', unique: true })
