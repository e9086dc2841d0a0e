import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { Schema } from 'mongoose'

const recipientStates = ['pending', 'queued', 'sent', 'delivered', 'read', 'failed', 'uncertain', 'skipped'] as const
export type RecipientState = (typeof recipientStates)[number]
/**
 * States of rows whose message has not left. `queued` says that it was on its way when the campaign was cancelled; rows of
 * earlier versions have it as long as it is in the outbox.
 */
export const openStates = ['pending', 'queued'] as const
/** States of rows whose message was taken, or refused for good. */
export const endedStates = ['sent', 'delivered', 'read', 'failed'] as const

/** A contact in a campaign. Its id is that of the message to it: a second one cannot be stored. */
export interface RecipientRecord {
  readonly id: string
  readonly workspaceId: string
  readonly campaignId: string
  readonly contactId: string
  /** Its place in the campaign, from 0. */
  readonly n: number
  /** Its group of time zones; absent where it is left out, and in campaigns without groups. */
  readonly zone?: number | undefined
  /** Phone number or user id; absent where nothing is sent. */
  readonly to?: string | undefined
  /** Values that the recipient reads in the places of the template's variables. */
  readonly values?: Readonly<Record<string, string>> | undefined
  /** File that this recipient gets: its address, and its name. */
  readonly file?: { readonly address: string; readonly name: string } | undefined
  /** Bit mask of the variables that are fallbacks, in the order of the template's; absent where none is. */
  readonly fallbacks?: number | undefined
  /** Set once its message is in the outbox; its state stays until that has left, since each change of a state moves index keys. */
  readonly enqueued?: true | undefined
  readonly state: RecipientState
  /** Reason why it was left out; for a failure the platform's code. */
  readonly reason?: string | undefined
  readonly clicked?: true | undefined
  /** Time at which one of its counted links was first opened. */
  readonly clickedAt?: Date | undefined
  readonly replied?: true | undefined
  readonly sample?: true | undefined
}

/** Rows in a block, by which they are counted. */
const blockSize = 1000
export const blockOf = (n: number): number => Math.floor(n / blockSize)
export const placesOf = (block: number) => ({ from: block * blockSize, below: (block + 1) * blockSize })

const recipientSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    campaignId: { type: Schema.Types.ObjectId, required: true },
    contactId: { type: Schema.Types.ObjectId, required: true },
    n: { type: Number, required: true },
    zone: { type: Number },
    to: { type: String },
    values: { type: Schema.Types.Mixed },
    file: { type: new Schema({ address: String, name: String }, { _id: false }) },
    fallbacks: { type: Number },
    enqueued: { type: Boolean },
    state: { type: String, enum: recipientStates, required: true },
    reason: { type: String },
    clicked: { type: Boolean },
    clickedAt: { type: Date },
    replied: { type: Boolean },
    sample: { type: Boolean },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw', minimize: false },
)
// Lists of rows, by each figure that opens them: a page far down costs what the first one does.
recipientSchema.index({ workspaceId: 1, campaignId: 1, _id: 1 }, { name: 'rows' })
recipientSchema.index({ workspaceId: 1, campaignId: 1, state: 1, _id: 1 }, { name: 'by-state' })
recipientSchema.index(
  { workspaceId: 1, campaignId: 1, state: 1, reason: 1, _id: 1 },
  { name: 'by-reason', ...whereExists('reason') },
)
recipientSchema.index(
  { workspaceId: 1, campaignId: 1, clicked: 1, _id: 1 },
  { name: 'clicked', partialFilterExpression: { clicked: true } },
)
recipientSchema.index(
  { workspaceId: 1, campaignId: 1, replied: 1, _id: 1 },
  { name: 'replied', partialFilterExpression: { replied: true } },
)
// Each contact and each address is in a campaign once: no one gets a message twice.
recipientSchema.index({ workspaceId: 1, campaignId: 1, contactId: 1 }, { name: 'contact', unique: true })
recipientSchema.index({ workspaceId: 1, campaignId: 1, to: 1 }, { name: 'address', unique: true, ...whereExists('to') })
recipientSchema.index(
  { workspaceId: 1, campaignId: 1, n: 1, state: 1, reason: 1, clicked: 1, replied: 1 },
  { name: 'order' },
)
recipientSchema.index({ workspaceId: 1, sample: 1 }, { name: 'sample', partialFilterExpression: { sample: true } })
recipientSchema.index(
  { workspaceId: 1, campaignId: 1, zone: 1, n: 1, state: 1, reason: 1 },
  { name: 'zone', ...whereExists('zone') },
)
recipientSchema.index(
  { workspaceId: 1, campaignId: 1, 'file.address': 1 },
  { name: 'file', ...whereExists('file.address') },
)

/** Row counts of a campaign, or of a block of it, by kind. */
export type Tallies = Readonly<Record<string, number>>

export interface BlockRecord {
  readonly id: string
  readonly workspaceId: string
  readonly campaignId: string
  readonly block: number
  readonly tallies: Tallies
  readonly countedAt: Date
  readonly sample?: true | undefined
}

/** The sum of a campaign's blocks. */
export type TotalsRecord = Omit<BlockRecord, 'block'>

const counted = {
  workspaceId: { type: Schema.Types.ObjectId, required: true },
  campaignId: { type: Schema.Types.ObjectId, required: true },
  tallies: { type: Schema.Types.Mixed, required: true },
  countedAt: { type: Date, required: true },
  sample: { type: Boolean },
}
const options = { versionKey: false, strict: 'throw', strictQuery: 'throw', minimize: false } as const

export const blockSchema = new Schema({ ...counted, block: { type: Number, required: true } }, options)
blockSchema.index({ workspaceId: 1, campaignId: 1, block: 1 }, { name: 'block', unique: true })
blockSchema.index({ workspaceId: 1, sample: 1 }, { name: 'sample', partialFilterExpression: { sample: true } })
export const totalsSchema = new Schema(counted, options)
totalsSchema.index({ workspaceId: 1, campaignId: 1 }, { name: 'campaign', unique: true })
totalsSchema.index({ workspaceId: 1, sample: 1 }, { name: 'sample', partialFilterExpression: { sample: true } })

/** Opens the rows of campaigns of a database. */
export const recipientsIn = (connection: ServiceConnection) =>
  workspaceCollection<RecipientRecord>({ connection, name: 'campaignRecipients', schema: recipientSchema })
