import { type SkipReason, skipReasons } from '@parley/contracts/campaigns/skip-reasons'
import { dispatchStates } from '@parley/contracts/inbox/dispatch-states'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { Schema, Types } from 'mongoose'
import type { MessageStatus } from './message-status.ts'

/** Progress of sending a message: the message itself is the outbox. */
interface Dispatch {
  readonly state: (typeof dispatchStates)[number]
  /** Priority: 0 is a person's reply; messages of campaigns come after it, in the order of their turns. */
  readonly priority: number
  readonly notBefore: Date
  /** Time since which it could have left, for one that was put off after a failed attempt. */
  readonly lateSince?: Date | undefined
  readonly attempts: number
  /** Trace in which it was written (W3C Trace Context). */
  readonly traceparent?: string | undefined
  /** Set while its turn with this customer is reserved: from `notBefore` on it may leave. */
  readonly slotTaken?: boolean | undefined
  /** Set while something stops it that does not stop later messages of its conversation: they may leave before it. */
  readonly passable?: boolean | undefined
  /** Number of times that a person has sent it again. */
  readonly generation?: number | undefined
  /** Time at which it became `uncertain`; absent again once people have been notified. */
  readonly uncertainAt?: Date | undefined
  /** Set where no status has confirmed for a quarter of an hour that it left. */
  readonly unconfirmed?: boolean | undefined
  /** Excludes recipients who have had marketing since then; absent once a person has sent it again. */
  readonly recentSince?: Date | undefined
  /** Names the process that sends it now. */
  readonly claim?: string | undefined
  readonly leaseUntil?: Date | undefined
  /** Reason for which the gate has cancelled or holds it. */
  readonly reason?: SkipReason | undefined
  readonly lastError?: { readonly code: number; readonly message: string } | undefined
}

/** Reaction of a customer or member to a message. */
export interface Reaction {
  readonly by: 'customer' | 'member'
  readonly emoji: string
  readonly at: Date
}

/** Returns an id for a message before it is stored: the platform returns it with every status. */
export const newMessageId = (): string => new Types.ObjectId().toHexString()

/** An id as it is stored, for stages of a pipeline in which ids are not cast. */
export const storedId = (id: string): Types.ObjectId => new Types.ObjectId(id)

/** One item of a conversation. */
export interface MessageRecord {
  readonly id: string
  readonly workspaceId: string
  readonly conversationId: string
  readonly numberId: string
  readonly contactId: string
  readonly direction: 'inbound' | 'outbound' | 'note'
  /** Content, tagged by `type`. */
  readonly content: { readonly type: string; readonly [field: string]: unknown }
  readonly status?: MessageStatus | undefined
  readonly statusAt: Readonly<Partial<Record<MessageStatus, Date>>>
  readonly error?: { readonly code: number; readonly details: string } | undefined
  readonly waMessageId?: string | undefined
  /** Platform ids of abandoned tries: their outcome no longer counts for the message. */
  readonly formerWaMessageIds?: readonly string[] | undefined
  /** Reactions, at most one of each side; an empty emoji is one that was taken back. */
  readonly reactions?: readonly Reaction[] | undefined
  /** Times at which the customer last changed it, and deleted it. */
  readonly editedAt?: Date | undefined
  readonly deletedAt?: Date | undefined
  /** Origin of the message as the platform reports it. */
  readonly forwarded?: 'yes' | 'many_times' | undefined
  readonly referral?: Readonly<Record<string, unknown>> | undefined
  readonly productId?: string | undefined
  /** The id that the sender's page gave it. */
  readonly clientId?: string | undefined
  readonly replyTo?: string | undefined
  readonly cause: {
    readonly kind: string
    readonly id: string
    /** Block of its campaign's rows that contains its own. */
    readonly block?: number | undefined
    /** Group of its row, for a campaign that keeps to the hours of each recipient's zone. */
    readonly zone?: number | undefined
  }
  /** Epoch of its conversation under which an automation has sent it: it does not leave once a person has taken part since. */
  readonly epoch?: number | undefined
  /** Latest state that WhatsApp reported of the payment that it asks for. */
  readonly payment?: { readonly state: 'paid' | 'failed' | 'pending'; readonly at: Date } | undefined
  readonly pricing?: { readonly billable: boolean; readonly type?: string; readonly category: string } | undefined
  readonly dispatch?: Dispatch | undefined
  /** Set while WhatsApp counts its customer as written to first: in which portfolio, and since when. */
  readonly limit?: { readonly portfolioId: string; readonly at: Date } | undefined
  /** A scheduled message leaves then. */
  readonly sendAt?: Date | undefined
  /** Set for a message whose file has to be fetched: `tries` were refused for the file itself, `pauses` counts all. */
  readonly mediaFetch?: Readonly<{ state: 'due'; tries: number; pauses?: number; notBefore?: Date }> | undefined
  /** Set for a message on which the sender has to act. */
  readonly sendLane?: string | undefined
  /** Conversations that it was in before contacts were merged, the latest last. */
  readonly moved?: readonly { readonly contactId: string; readonly conversationId: string }[] | undefined
  /** The platform's time. */
  readonly sentAt: Date
  /** Members whom a note mentions. */
  readonly mentions?: readonly string[] | undefined
  /** Part of the sample data. */
  readonly sample?: true | undefined
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Outcome of a message. */
export type MessageOutcome = Pick<MessageRecord, 'id' | 'statusAt' | 'error' | 'pricing'>

const plain = { _id: false, id: false }
const objectId = { type: Schema.Types.ObjectId, required: true }

export const messageSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    conversationId: { type: Schema.Types.ObjectId, required: true },
    numberId: { type: Schema.Types.ObjectId, required: true },
    contactId: { type: Schema.Types.ObjectId, required: true },
    direction: { type: String, enum: ['inbound', 'outbound', 'note'], required: true },
    content: { type: Schema.Types.Mixed, required: true },
    status: { type: String },
    statusAt: { type: new Schema({ queued: Date, sent: Date, delivered: Date, read: Date, failed: Date }, plain) },
    error: { type: new Schema({ code: Number, details: String }, plain) },
    waMessageId: { type: String },
    formerWaMessageIds: { type: [String], default: undefined },
    reactions: { type: [new Schema({ by: String, emoji: String, at: Date }, plain)], default: undefined },
    editedAt: { type: Date },
    deletedAt: { type: Date },
    forwarded: { type: String },
    referral: { type: Schema.Types.Mixed },
    productId: { type: String },
    clientId: { type: String },
    replyTo: { type: String },
    cause: { type: new Schema({ kind: String, id: String, block: Number, zone: Number }, plain), required: true },
    epoch: { type: Number },
    payment: { type: new Schema({ state: String, at: Date }, plain) },
    pricing: { type: new Schema({ billable: Boolean, type: { type: String }, category: String }, plain) },
    dispatch: {
      type: new Schema(
        {
          state: { type: String, enum: dispatchStates },
          priority: Number,
          notBefore: Date,
          lateSince: Date,
          attempts: Number,
          traceparent: String,
          slotTaken: Boolean,
          passable: Boolean,
          generation: Number,
          uncertainAt: Date,
          unconfirmed: Boolean,
          recentSince: Date,
          claim: String,
          leaseUntil: Date,
          reason: { type: String, enum: skipReasons },
          lastError: { type: new Schema({ code: Number, message: String }, plain) },
        },
        plain,
      ),
    },
    limit: { type: new Schema({ portfolioId: String, at: Date }, plain) },
    sendAt: { type: Date },
    mediaFetch: { type: new Schema({ state: String, tries: Number, pauses: Number, notBefore: Date }, plain) },
    sendLane: { type: String },
    moved: { type: [new Schema({ contactId: objectId, conversationId: objectId }, plain)], default: undefined },
    mentions: { type: [String], default: undefined },
    sentAt: { type: Date, required: true },
    sample: { type: Boolean },
    version: { type: Number, required: true },
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw', minimize: false },
)
messageSchema.index({ workspaceId: 1, waMessageId: 1 }, { name: 'wamid', unique: true, ...whereExists('waMessageId') })
messageSchema.index({ workspaceId: 1, conversationId: 1, sentAt: -1, _id: -1 }, { name: 'thread' })
messageSchema.index(
  { workspaceId: 1, conversationId: 1, clientId: 1 },
  { name: 'client-id', unique: true, ...whereExists('clientId') },
)
messageSchema.index({ workspaceId: 1, sample: 1 }, { name: 'sample', partialFilterExpression: { sample: true } })
messageSchema.index(
  { workspaceId: 1, numberId: 1, sentAt: 1 },
  { name: 'sent-by-number', partialFilterExpression: { direction: 'outbound' } },
)
// Both directions by time: for figures, and for the rows behind them.
messageSchema.index({ workspaceId: 1, numberId: 1, sentAt: -1, _id: -1 }, { name: 'by-number' })
messageSchema.index(
  { workspaceId: 1, 'cause.id': 1, sentAt: -1, _id: -1 },
  { name: 'by-member', partialFilterExpression: { 'cause.kind': 'member' } },
)
// Messages as work for the sender.
messageSchema.index(
  { sendLane: 1, numberId: 1, 'dispatch.priority': 1, _id: 1 },
  { name: 'outbox', ...whereExists('sendLane') },
)
messageSchema.index(
  { workspaceId: 1, conversationId: 1, _id: 1 },
  { name: 'outbox-conversation', ...whereExists('sendLane') },
)
messageSchema.index({ sendLane: 1, 'dispatch.notBefore': 1 }, { name: 'scheduled', ...whereExists('sendLane') })
messageSchema.index({ 'dispatch.leaseUntil': 1 }, { name: 'leases', ...whereExists('dispatch.leaseUntil') })
messageSchema.index({ 'dispatch.uncertainAt': 1 }, { name: 'uncertain', ...whereExists('dispatch.uncertainAt') })
messageSchema.index({ createdAt: 1 }, { name: 'media-due', ...whereExists('mediaFetch.state') })
// Finds messages with a file: before it is deleted, and for those who may see it.
messageSchema.index(
  { workspaceId: 1, 'content.mediaId': 1, conversationId: 1 },
  { name: 'file', ...whereExists('content.mediaId') },
)
messageSchema.index(
  { workspaceId: 1, 'content.header.mediaId': 1, conversationId: 1 },
  { name: 'header-file', ...whereExists('content.header.mediaId') },
)
messageSchema.index(
  { workspaceId: 1, 'content.cards.header.mediaId': 1, conversationId: 1 },
  { name: 'card-file', ...whereExists('content.cards.header.mediaId') },
)
messageSchema.index(
  { workspaceId: 1, 'cause.id': 1, 'dispatch.state': 1 },
  { name: 'open-of-campaign', partialFilterExpression: { 'cause.kind': 'campaign', sendLane: { $exists: true } } },
)
messageSchema.index(
  { workspaceId: 1, conversationId: 1, sentAt: 1 },
  { name: 'campaigns-in-conversation', partialFilterExpression: { 'cause.kind': 'campaign' } },
)
messageSchema.index(
  { workspaceId: 1, 'moved.conversationId': 1, _id: 1 },
  { name: 'moved', ...whereExists('moved.conversationId') },
)
messageSchema.index(
  { workspaceId: 1, contactId: 1, sentAt: -1, _id: -1 },
  { name: 'contact-notes', partialFilterExpression: { direction: 'note' } },
)
// Customers that WhatsApp counts as written to first, by portfolio.
messageSchema.index(
  { workspaceId: 1, 'limit.portfolioId': 1, 'limit.at': 1, contactId: 1 },
  { name: 'portfolio', ...whereExists('limit.at') },
)

/** Opens the messages of a database. */
export const messagesIn = (connection: ServiceConnection) =>
  workspaceCollection<MessageRecord>({ connection, name: 'messages', schema: messageSchema })
