import { Schema } from 'mongoose'

/** The thread between one number and one contact. */
export interface ConversationRecord {
  readonly id: string
  readonly workspaceId: string
  readonly numberId: string
  readonly contactId: string
  readonly status: 'open' | 'snoozed' | 'closed'
  readonly owner: { readonly kind: 'member' | 'bot' | 'workflow' | 'nobody'; readonly id?: string | undefined }
  /** Rises whenever the owner changes, a member writes or the conversation is closed. */
  readonly ownerEpoch: number
  readonly unreadCount: number
  readonly messageCount: number
  readonly lastMessage?:
    | {
        readonly id: string
        readonly text: string
        readonly direction: 'inbound' | 'outbound' | 'note'
        readonly status?: string | undefined
        readonly at: Date
      }
    | undefined
  readonly firstMessageAt?: Date | undefined
  readonly windowExpiresAt?: Date | undefined
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

const lastMessageSchema = new Schema(
  { id: String, text: String, direction: String, status: String, at: Date },
  { _id: false, id: false },
)

export const conversationSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    numberId: { type: Schema.Types.ObjectId, required: true },
    contactId: { type: Schema.Types.ObjectId, required: true },
    status: { type: String, enum: ['open', 'snoozed', 'closed'], required: true },
    owner: { type: new Schema({ kind: String, id: String }, { _id: false, id: false }), required: true },
    ownerEpoch: { type: Number, required: true },
    unreadCount: { type: Number, required: true },
    messageCount: { type: Number, required: true },
    lastMessage: { type: lastMessageSchema },
    firstMessageAt: { type: Date },
    windowExpiresAt: { type: Date },
    version: { type: Number, required: true },
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
