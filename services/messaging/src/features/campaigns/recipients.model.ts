import { Schema } from 'mongoose'

const recipientStates = ['pending', 'queued', 'sent', 'delivered', 'read', 'failed', 'uncertain', 'skipped'] as const
export type RecipientState = (typeof recipientStates)[number]
/** Of rows whose message was taken, or refused for good. */
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
  /** What it reads in the places of the template's variables. */
  readonly values?: Readonly<Record<string, string>> | undefined
  /** Which of its values are fallbacks: a bit for each variable, in the order of the template's; absent where none is. */
  readonly fallbacks?: number | undefined
  readonly state: RecipientState
  /** Why it was left out; of a failure the platform's code. */
  readonly reason?: string | undefined
  readonly clicked?: true | undefined
  /** When one of its counted links was opened first. */
  readonly clickedAt?: Date | undefined
  readonly replied?: true | undefined
  readonly sample?: true | undefined
}

/** Rows are counted in blocks of so many. */
const blockSize = 1000
export const blockOf = (n: number): number => Math.floor(n / blockSize)
export const placesOf = (block: number) => ({ from: block * blockSize, below: (block + 1) * blockSize })

export const recipientSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    campaignId: { type: Schema.Types.ObjectId, required: true },
    contactId: { type: Schema.Types.ObjectId, required: true },
    n: { type: Number, required: true },
    zone: { type: Number },
    to: { type: String },
    values: { type: Schema.Types.Mixed },
    fallbacks: { type: Number },
    state: { type: String, enum: recipientStates, required: true },
    reason: { type: String },
    clicked: { type: Boolean },
    clickedAt: { type: Date },
    replied: { type: Boolean },
    sample: { type: Boolean },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw', minimize: false },
)

/** How many rows of a campaign, or of a block of it, there are of each kind. */
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
export const totalsSchema = new Schema(counted, options)
