import type { Notification } from '@parley/contracts/platform/notifications'
import { Schema } from 'mongoose'

/** Notification that members get once, with those of them who have read it. */
export interface NotificationRecord extends Omit<Notification, 'at' | 'readAt'> {
  readonly workspaceId: string
  /** Key of the event: raising it again gives the same notification. */
  readonly key: string
  readonly at: Date
  /** Members whom it is for; absent for all who may act on its category. */
  readonly for?: readonly string[] | undefined
  readonly readBy: readonly { readonly userId: string; readonly at: Date }[]
  /** Set where it is news to no one. */
  readonly readByAll?: Date | undefined
  /** Part of the sample data, or about something that is: it goes with it. */
  readonly sample?: true | undefined
}

const text = { type: String, required: true }
const plain = { _id: false, id: false }

export const notificationRecordSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    key: text,
    category: text,
    severity: text,
    title: text,
    body: text,
    action: { type: String },
    object: { type: new Schema({ kind: text, id: text }, plain), required: true },
    at: { type: Date, required: true },
    for: { type: [String], default: undefined },
    readBy: { type: [new Schema({ userId: text, at: Date }, plain)], required: true },
    readByAll: { type: Date },
    sample: { type: Boolean },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
// The version before reads by it: it goes with a later migration.
notificationRecordSchema.index({ workspaceId: 1, at: -1, _id: -1 }, { name: 'recent' })
notificationRecordSchema.index({ workspaceId: 1, for: 1, at: -1, _id: -1 }, { name: 'audience' })
notificationRecordSchema.index({ workspaceId: 1, key: 1 }, { name: 'key', unique: true })
notificationRecordSchema.index({ at: 1 }, { name: 'expiry', expireAfterSeconds: 90 * 86_400 })
notificationRecordSchema.index(
  { workspaceId: 1, sample: 1 },
  { name: 'sample', partialFilterExpression: { sample: true } },
)
