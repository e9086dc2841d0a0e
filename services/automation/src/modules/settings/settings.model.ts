import type { AutomationSettings } from '@parley/contracts/automation/bot-settings'
import { Schema } from 'mongoose'

/** Settings of a workspace for all of its bots; absent until somebody changes them. */
export interface SettingsRecord extends AutomationSettings {
  readonly id: string
}

export const settingsSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    closedText: { type: String },
    handOverWords: [String],
    returnHours: { type: Number },
    version: { type: Number, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
settingsSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })
