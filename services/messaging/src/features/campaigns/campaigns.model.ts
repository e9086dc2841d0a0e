import type { PlannedCost } from '@parley/contracts/campaign-cost'
import type { Audience, Campaign, CampaignCounts, PauseReason, VariableSource } from '@parley/contracts/campaigns'
import type { Template } from '@parley/contracts/templates'
import { Schema } from 'mongoose'

/** The template as it was when the campaign was made: what is sent does not change under way. */
type FrozenTemplate = Pick<Template, 'name' | 'language' | 'header' | 'body' | 'footer' | 'buttons'> & {
  /** What consent and price go by; campaigns of older versions do not tell. */
  readonly category?: Template['category'] | undefined
}

/** One template to many contacts. */
export interface CampaignRecord {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  /** Folded name and template, which lists are searched by. */
  readonly searchKey: string
  readonly audience: Audience
  readonly audienceName: string
  readonly numberId: string
  readonly templateId: string
  readonly template: FrozenTemplate
  readonly variables: Readonly<Record<string, VariableSource>>
  readonly status: Campaign['status']
  readonly pausedFor?: PauseReason | undefined
  /** What has happened in particular, for a person. */
  readonly pauseDetail?: string | undefined
  /** Somebody has started or resumed it although WhatsApp rates the number's quality low. */
  readonly lowQualityAccepted?: true | undefined
  /** Rows from this place on are judged by how many of them fail. */
  readonly judgedFrom?: number | undefined
  readonly resumedAt?: Date | undefined
  /** When a worker was last seen to look after it while it is active: within a minute. */
  readonly roundAt?: Date | undefined
  readonly scheduledFor?: Date | undefined
  readonly anyHour?: true | undefined
  /** Leaves out who has had marketing in so many days. */
  readonly recentDays?: number | undefined
  /** It is outside of the sending hours: when it goes on by itself. */
  readonly waitsUntil?: Date | undefined
  readonly startedAt?: Date | undefined
  readonly completedAt?: Date | undefined
  /** When it was paused or cancelled last. */
  readonly stoppedAt?: Date | undefined
  /** What was counted when it was made; shown until it has rows. */
  readonly expected: Pick<CampaignCounts, 'audience' | 'excluded'> & { readonly reachable: number }
  /** What the review said that WhatsApp charges at most; absent where nobody could say. */
  readonly planned?: PlannedCost | undefined
  /** How far its audience has been written down: the last contact, or row of an earlier campaign; how many rows; whether that was all. */
  readonly frozen: { readonly after?: string | undefined; readonly rows: number; readonly done: boolean }
  /** Rows below this place have been given to the outbox, or are left out. */
  readonly position: number
  /** While workers have something to do for it, and from when on. */
  readonly watch?: typeof watched | undefined
  readonly nextAt?: Date | undefined
  readonly sample?: true | undefined
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const watched = 'campaigns' as const

const text = { type: String, required: true }
const plain = { _id: false, id: false }

export const campaignSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    name: text,
    searchKey: text,
    audience: { type: Schema.Types.Mixed, required: true },
    audienceName: text,
    numberId: { type: Schema.Types.ObjectId, required: true },
    templateId: { type: Schema.Types.ObjectId, required: true },
    template: { type: Schema.Types.Mixed, required: true },
    variables: { type: Schema.Types.Mixed, required: true },
    status: text,
    pausedFor: { type: String },
    pauseDetail: { type: String },
    lowQualityAccepted: { type: Boolean },
    judgedFrom: { type: Number },
    resumedAt: { type: Date },
    roundAt: { type: Date },
    scheduledFor: { type: Date },
    anyHour: { type: Boolean },
    recentDays: { type: Number },
    waitsUntil: { type: Date },
    startedAt: { type: Date },
    completedAt: { type: Date },
    stoppedAt: { type: Date },
    expected: { type: Schema.Types.Mixed, required: true },
    planned: { type: new Schema({ currency: String, micros: Number, unpriced: Number }, plain) },
    frozen: { type: new Schema({ after: String, rows: Number, done: Boolean }, plain), required: true },
    position: { type: Number, required: true },
    watch: { type: String },
    nextAt: { type: Date },
    sample: { type: Boolean },
    version: { type: Number, required: true },
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw', minimize: false },
)
