import type { PlannedCost } from '@parley/contracts/campaigns/campaign-cost'
import type { ReviewWarning } from '@parley/contracts/campaigns/campaign-drafts'
import type { Audience, VariableSource } from '@parley/contracts/campaigns/campaign-fields'
import type { Campaign, CampaignCounts, PauseReason } from '@parley/contracts/campaigns/campaigns'
import type { RecipientFile } from '@parley/contracts/campaigns/recipient-files'
import type { Template } from '@parley/contracts/templates/templates'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { Schema } from 'mongoose'

/** The template as it was when the campaign was made: what is sent does not change under way. */
export type FrozenTemplate = Pick<
  Template,
  'name' | 'language' | 'header' | 'headerMedia' | 'authentication' | 'offer' | 'body' | 'footer' | 'buttons' | 'cards'
> & {
  /** The number of its text. */
  readonly contentVersion?: number | undefined
  /** Category that consent and price depend on. */
  readonly category: Template['category']
}

/** Recipients of whom the same is known: they may live in any of these time zones (IANA names). None: nothing is known. */
export interface ZoneGroup {
  readonly zones: readonly string[]
}

/** Rows that were given to the outbox at once: those of a group of time zones between two places. */
export interface EnqueuedBatch {
  readonly zone: number
  readonly from: number
  readonly below: number
  readonly rows: number
}

/** Progress of storing an audience. */
export interface Frozen {
  /** The last contact, or row of an earlier campaign. */
  readonly after?: string | undefined
  readonly rows: number
  /** True once all of it is stored. */
  readonly done: boolean
  /** Number of rows that nothing kept from being sent; absent until all are stored, and for the sample's. */
  readonly pending?: number | undefined
  /** Rows of an earlier time are being deleted first. */
  readonly clearing?: boolean | undefined
  /** Set at its start, when the audience is written down once more after the review. */
  readonly again?: true | undefined
  /** Groups of marketing that keeps to the hours of each recipient's zone; absent where the workspace's hours apply to all. */
  readonly groups?: readonly ZoneGroup[] | undefined
}

/** State in which the second and every further writing begins. */
export const frozenAnew: Frozen = { rows: 0, done: false, clearing: true, again: true }

export type Schedule = NonNullable<Campaign['schedule']>

interface Launched {
  readonly reviewId: string
  readonly by: string
  readonly at: Date
  readonly accepted: readonly ReviewWarning[]
}

/** One template to many contacts. */
export interface CampaignRecord {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  /** Folded name and template, by which lists are searched. */
  readonly searchKey: string
  readonly audience: Audience
  readonly audienceName: string
  readonly numberId: string
  readonly templateId: string
  readonly template: FrozenTemplate
  readonly variables: Readonly<Record<string, VariableSource>>
  readonly status: Campaign['status']
  readonly pausedFor?: PauseReason | undefined
  /** Human-readable details of what happened. */
  readonly pauseDetail?: string | undefined
  /** Set where a member has started or resumed it although WhatsApp rates the number's quality low. */
  readonly lowQualityAccepted?: true | undefined
  /** Rows from this place on are judged by how many of them fail. */
  readonly judgedFrom?: number | undefined
  readonly resumedAt?: Date | undefined
  /** Time at which a worker last looked after it while it is active: within a minute. */
  readonly roundAt?: Date | undefined
  /** Time of its start, by the clock of the workspace's zone. */
  readonly schedule?: Schedule | undefined
  /** The moment of that in the zone as it is now. */
  readonly scheduledFor?: Date | undefined
  readonly anyHour?: true | undefined
  /** Days within which a contact who has had marketing is left out. */
  readonly recentDays?: number | undefined
  /** Set where a campaign of its own sends it again to those whom WhatsApp has held marketing back from. */
  readonly retryHeldBack?: true | undefined
  /** Address of a file of its own for each recipient. */
  readonly recipientFile?: RecipientFile | undefined
  /** The campaign that sends it again to those who are not confirmed. */
  readonly sentAgainAs?: string | undefined
  /** Time at which it continues by itself, and the reason why it waits until then. */
  readonly waitsUntil?: Date | undefined
  readonly waitsFor?: Campaign['waitsFor']
  readonly startedAt?: Date | undefined
  readonly completedAt?: Date | undefined
  /** Time at which it was last paused or cancelled. */
  readonly stoppedAt?: Date | undefined
  /** Counts of its review; shown as long as it has no rows. */
  readonly expected: Pick<CampaignCounts, 'audience' | 'excluded'> & { readonly reachable: number }
  /** Highest cost that WhatsApp charges by the review; absent where it was unknown. */
  readonly planned?: PlannedCost | undefined
  readonly frozen: Frozen
  /** Difference from its review, more or fewer, when it was stored at its start. */
  readonly sinceReview?: Campaign['sinceReview']
  /** Review it was launched by, the member who launched it and what they confirmed; absent for the sample's. */
  readonly launched?: Launched | undefined
  /** Credits of a period that it was launched for, and the number it had sent before, which are not counted. */
  readonly hold?: { readonly period: string; readonly n: number; readonly before: number } | undefined
  /** Rows below this place have been given to the outbox, or are left out. */
  readonly position: number
  /** The same for the rows of each group of time zones; absent where none is given yet. */
  readonly queued?: Readonly<Record<number, number>> | undefined
  /** Rows that were given last, for a campaign with such groups. */
  readonly latest?: readonly EnqueuedBatch[] | undefined
  /** The turn of its next message among those of other campaigns on the number. */
  readonly turn?: number | undefined
  /** Set while workers have something to do for it, with the time from when on; as long as its rows are kept: its end. */
  readonly watch?: typeof watched | typeof watchedRows | undefined
  readonly nextAt?: Date | undefined
  /** Set from when its rows began to be removed, because they were older than `months`. Nothing counts them any more. */
  readonly rowsRemoved?: { readonly at: Date; readonly months: number } | undefined
  readonly sample?: true | undefined
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const watched = 'campaigns' as const
/** Watch of an ended campaign, until its rows are removed. */
export const watchedRows = 'campaign-rows' as const

const text = { type: String, required: true }
const plain = { _id: false, id: false }

/** Schema of campaigns and of drafts of them. */
export const campaignSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String },
    searchKey: { type: String },
    audience: { type: Schema.Types.Mixed },
    audienceName: { type: String },
    numberId: { type: Schema.Types.ObjectId },
    templateId: { type: Schema.Types.ObjectId },
    template: { type: Schema.Types.Mixed },
    variables: { type: Schema.Types.Mixed, required: true },
    status: text,
    pausedFor: { type: String },
    pauseDetail: { type: String },
    lowQualityAccepted: { type: Boolean },
    judgedFrom: { type: Number },
    resumedAt: { type: Date },
    roundAt: { type: Date },
    schedule: { type: new Schema({ date: String, time: String }, plain) },
    scheduledFor: { type: Date },
    anyHour: { type: Boolean },
    recentDays: { type: Number },
    retryHeldBack: { type: Boolean },
    recipientFile: { type: Schema.Types.Mixed },
    sentAgainAs: { type: Schema.Types.ObjectId },
    waitsUntil: { type: Date },
    waitsFor: { type: String },
    startedAt: { type: Date },
    completedAt: { type: Date },
    stoppedAt: { type: Date },
    expected: { type: Schema.Types.Mixed },
    planned: { type: new Schema({ currency: String, micros: Number, unpriced: Number }, plain) },
    frozen: {
      type: new Schema(
        {
          after: String,
          rows: Number,
          done: Boolean,
          pending: Number,
          clearing: Boolean,
          again: Boolean,
          groups: { type: [new Schema({ zones: [String] }, plain)], default: undefined },
        },
        plain,
      ),
    },
    sinceReview: { type: new Schema({ audience: Number, recipients: Number }, plain) },
    launched: { type: Schema.Types.Mixed },
    templateName: { type: String },
    edition: { type: Number },
    review: { type: Schema.Types.Mixed },
    hold: { type: new Schema({ period: String, n: Number, before: Number }, plain) },
    position: { type: Number },
    queued: { type: Schema.Types.Mixed },
    latest: { type: Schema.Types.Mixed },
    turn: { type: Number },
    watch: { type: String },
    nextAt: { type: Date },
    rowsRemoved: { type: new Schema({ at: Date, months: Number }, plain) },
    sample: { type: Boolean },
    version: { type: Number, required: true },
    // A launched draft stands among campaigns where it was launched.
    createdAt: { type: Date, default: () => new Date() },
  },
  { timestamps: { createdAt: false }, versionKey: false, strict: 'throw', strictQuery: 'throw', minimize: false },
)
campaignSchema.index({ workspaceId: 1, createdAt: -1, _id: -1 }, { name: 'latest' })
campaignSchema.index({ watch: 1, nextAt: 1 }, { name: 'due', ...whereExists('watch') })
campaignSchema.index({ workspaceId: 1, sample: 1 }, { name: 'sample', partialFilterExpression: { sample: true } })
campaignSchema.index({ workspaceId: 1, templateId: 1, status: 1 }, { name: 'template' })
campaignSchema.index({ workspaceId: 1, status: 1, createdAt: -1, _id: -1 }, { name: 'status' })
campaignSchema.index({ workspaceId: 1, numberId: 1, status: 1 }, { name: 'number' })
// Campaigns by the file that they send, which is not deleted with what a person was sent.
campaignSchema.index(
  { workspaceId: 1, 'template.headerMedia.file.mediaId': 1 },
  { name: 'file', ...whereExists('template.headerMedia.file.mediaId') },
)
campaignSchema.index(
  { workspaceId: 1, 'template.cards.headerMedia.file.mediaId': 1 },
  { name: 'card-file', ...whereExists('template.cards.headerMedia.file.mediaId') },
)

/** Opens the campaigns of a database. */
export const campaignsIn = (connection: ServiceConnection) =>
  workspaceCollection<CampaignRecord>({ connection, name: 'campaigns', schema: campaignSchema })
