import { conversationStatuses } from '@parley/contracts/inbox/conversations'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { Schema } from 'mongoose'

export const snoozeTimer = 'snooze'
export const waits = 'waits'
/** It is a member's turn, and none has room. */
export const queued = 'queued'

/** Fields of a conversation that follow from its messages and from what people have done about them. */
export type ConversationState = Pick<
  ConversationRecord,
  | 'status'
  | 'owner'
  | 'unreadCount'
  | 'messageCount'
  | 'lastMessage'
  | 'firstMessageAt'
  | 'windowExpiresAt'
  | 'waitingSince'
  | 'forPersonSince'
  | 'dueAt'
  | 'snoozedUntil'
  | 'snoozedBy'
  | 'timer'
  | 'referredAt'
  | 'personAt'
  | 'mentioned'
>

/** The thread between one number and one contact. */
export interface ConversationRecord {
  readonly id: string
  readonly workspaceId: string
  readonly numberId: string
  readonly contactId: string
  readonly status: (typeof conversationStatuses)[number]
  readonly owner: {
    readonly kind: 'member' | 'bot' | 'workflow' | 'nobody'
    readonly id?: string | undefined
    /** Set for an owner of the sample data, who is no member here. */
    readonly name?: string | undefined
  }
  /**
   * Members who see it where members see their own alone: the user id of its owner; `everyone` while nobody owns it. Written with
   * the owner.
   */
  readonly viewers: readonly string[]
  /** Rises whenever the owner changes, a member writes or the conversation is closed. */
  readonly ownerEpoch: number
  /** Epoch when a person last took part: what automations have queued under an older one does not leave. */
  readonly personEpoch?: number | undefined
  /** Time at which a colleague last wrote from the phone; absent again once the conversation was closed. */
  readonly personAt?: Date | undefined
  /** Time at which its owner became so, or a member has last written. */
  readonly memberAt?: Date | undefined
  /** Version of this record when its owner last changed; a client that has seen an older one does not know of it. */
  readonly ownerVersion?: number | undefined
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
  /** Time at which a customer last began it, or anybody opened it again. */
  readonly openedAt?: Date | undefined
  /** Time at which its customer last wrote while it was snoozed. */
  readonly wokenAt?: Date | undefined
  readonly windowExpiresAt?: Date | undefined
  /** Time of the customer's first message that is still unanswered. */
  readonly waitingSince?: Date | undefined
  /** Time since which its customer waits for a person: what automations say does not end that. */
  readonly forPersonSince?: Date | undefined
  /** Time by which the response target wants that answered by a person. */
  readonly dueAt?: Date | undefined
  readonly snoozedUntil?: Date | undefined
  /** Id of the user who has snoozed it. */
  readonly snoozedBy?: string | undefined
  /** Set for a conversation that wakes up at a time, whatever its workspace. */
  readonly timer?: typeof snoozeTimer | undefined
  /**
   * `waits`: until when it waits for a bot; after it the workspace's rule assigns a member, if none has it. `queued`: since when it
   * waits for one who has room.
   */
  readonly assignment?: { readonly state: typeof waits | typeof queued; readonly at: Date } | undefined
  /** Data of its contact by which a conversation is found. */
  readonly search?: ConversationSearch | undefined
  /** Time at which the customer came by an ad, until answered: the first answer within a day opens 72 hours. */
  readonly referredAt?: Date | undefined
  /** Members whom notes mention. */
  readonly mentioned?: readonly string[] | undefined
  /** Set where its messages are in another conversation since their contacts were merged: both as they were before. */
  readonly merged?:
    | { readonly id: string; readonly own: ConversationState; readonly other: ConversationState }
    | undefined
  /** Part of the sample data. */
  readonly sample?: true | undefined
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface ConversationSearch {
  /** Words of the name, folded. */
  readonly words: readonly string[]
  /** Digits alone. */
  readonly phone?: string | undefined
  readonly tags: readonly string[]
}

const plain = { _id: false, id: false }
const lastMessageSchema = new Schema({ id: String, text: String, direction: String, status: String, at: Date }, plain)
const stateFields = {
  status: { type: String, enum: conversationStatuses, required: true },
  owner: { type: new Schema({ kind: String, id: String, name: String }, plain), required: true },
  unreadCount: { type: Number, required: true },
  messageCount: { type: Number, required: true },
  lastMessage: { type: lastMessageSchema },
  firstMessageAt: { type: Date },
  windowExpiresAt: { type: Date },
  waitingSince: { type: Date },
  forPersonSince: { type: Date },
  dueAt: { type: Date },
  snoozedUntil: { type: Date },
  snoozedBy: { type: String },
  timer: { type: String },
  referredAt: { type: Date },
  personAt: { type: Date },
  mentioned: { type: [String], default: undefined },
}
const stateSchema = new Schema(stateFields, plain)

export const conversationSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    numberId: { type: Schema.Types.ObjectId, required: true },
    contactId: { type: Schema.Types.ObjectId, required: true },
    ...stateFields,
    viewers: { type: [String], required: true },
    ownerEpoch: { type: Number, required: true },
    openedAt: { type: Date },
    wokenAt: { type: Date },
    personEpoch: { type: Number },
    memberAt: { type: Date },
    assignment: { type: new Schema({ state: String, at: Date }, plain) },
    ownerVersion: { type: Number },
    search: { type: new Schema({ words: [String], phone: String, tags: [String] }, { _id: false, id: false }) },
    merged: {
      type: new Schema(
        { id: { type: Schema.Types.ObjectId, required: true }, own: stateSchema, other: stateSchema },
        plain,
      ),
    },
    sample: { type: Boolean },
    version: { type: Number, required: true },
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
// Each index is checked by every change in a transaction. All of a contact are found by `pair`, a step for each number; all of a
// workspace in their order by `status`, one range for each.
conversationSchema.index({ workspaceId: 1, numberId: 1, contactId: 1 }, { name: 'pair', unique: true })
// Status and unread messages are filtered by the index alone.
conversationSchema.index(
  { workspaceId: 1, viewers: 1, 'lastMessage.at': -1, _id: -1, status: 1, unreadCount: 1 },
  { name: 'viewers' },
)
conversationSchema.index({ workspaceId: 1, status: 1, 'lastMessage.at': -1, _id: -1 }, { name: 'status' })
conversationSchema.index({ workspaceId: 1, 'owner.id': 1, status: 1, 'lastMessage.at': -1, _id: -1 }, { name: 'owner' })
conversationSchema.index(
  { workspaceId: 1, 'lastMessage.at': -1, _id: -1, unreadCount: 1 },
  { name: 'unread', partialFilterExpression: { unreadCount: { $gt: 0 } } },
)
// A range of dates: with a condition on the type its queries would not use the bounds of their own range.
conversationSchema.index(
  { workspaceId: 1, waitingSince: 1, _id: 1 },
  { name: 'waiting', partialFilterExpression: { waitingSince: { $gte: new Date(0) } } },
)
conversationSchema.index(
  { workspaceId: 1, dueAt: 1, _id: 1 },
  { name: 'due', partialFilterExpression: { dueAt: { $gte: new Date(0) } } },
)
conversationSchema.index(
  { workspaceId: 1, mentioned: 1, 'lastMessage.at': -1, _id: -1 },
  { name: 'mentioned', ...whereExists('mentioned') },
)
conversationSchema.index({ workspaceId: 1, windowExpiresAt: 1, _id: 1 }, { name: 'window' })
conversationSchema.index({ workspaceId: 1, 'search.tags': 1 }, { name: 'tags' })
conversationSchema.index({ workspaceId: 1, 'search.words': 1 }, { name: 'words' })
conversationSchema.index({ timer: 1, snoozedUntil: 1 }, { name: 'timer', ...whereExists('timer') })
// Due ones of all workspaces take a step for each workspace that has any.
conversationSchema.index(
  { 'assignment.state': 1, workspaceId: 1, 'assignment.at': 1, _id: 1 },
  { name: 'members', ...whereExists('assignment.state') },
)
conversationSchema.index({ workspaceId: 1, sample: 1 }, { name: 'sample', partialFilterExpression: { sample: true } })

/** Opens the conversations of a database. */
export const conversationsIn = (connection: ServiceConnection) =>
  workspaceCollection<ConversationRecord>({ connection, name: 'conversations', schema: conversationSchema })
