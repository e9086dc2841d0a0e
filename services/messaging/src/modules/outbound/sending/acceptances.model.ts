import { Schema } from 'mongoose'
import type { Acceptance } from '../../inbox/messages/accepted-messages.ts'

/** State of each record: the last step removes it. */
export const begun = 'begun'

/** Messages that WhatsApp has accepted and that are being settled. */
export interface AcceptanceRecord extends Acceptance {
  readonly workspaceId: string
  readonly state: typeof begun
}

const { ObjectId } = Schema.Types
export const acceptanceSchema = new Schema(
  {
    workspaceId: { type: ObjectId, required: true },
    state: { type: String, required: true },
    at: { type: Date, required: true },
    accepted: {
      type: [
        new Schema(
          {
            messageId: { type: ObjectId, required: true },
            version: { type: Number, required: true },
            waMessageId: { type: String, required: true },
            category: { type: String },
          },
          { _id: false },
        ),
      ],
      required: true,
    },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
acceptanceSchema.index({ state: 1, at: 1 }, { name: 'age' })
acceptanceSchema.index({ workspaceId: 1 }, { name: 'workspace' })
