import type { NotificationSettings } from '@parley/contracts/account/settings'
import { Schema } from 'mongoose'

/** Choices of one member about their notifications. */
export interface NotificationSettingsRecord {
  readonly id: string
  readonly workspaceId: string
  readonly userId: string
  readonly kinds: Partial<NotificationSettings>
}

const on = { type: Boolean }
export const notificationSettingsSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    userId: { type: String, required: true },
    kinds: {
      type: new Schema(
        // Imports had a switch in the version before.
        { newMessages: on, broadcastCompletion: on, botFailures: on, weeklyReports: on, imports: on },
        { _id: false, id: false },
      ),
      required: true,
    },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
notificationSettingsSchema.index({ workspaceId: 1, userId: 1 }, { name: 'member', unique: true })
