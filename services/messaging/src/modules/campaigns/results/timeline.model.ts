import type { CampaignTimelineItem } from '@parley/contracts/campaigns/campaign-timeline'
import { Schema } from 'mongoose'

/** Content of an entry, of any kind. */
type Told<T = CampaignTimelineItem> = T extends unknown ? Omit<T, 'id' | 'at' | 'memberId'> : never

/** An entry about a campaign or its draft. Entries are added, and never changed. */
export interface TimelineRecord {
  readonly id: string
  readonly workspaceId: string
  readonly campaignId: string
  readonly at: Date
  /** Member who did it; absent where the server did it by itself. */
  readonly memberId?: string | undefined
  readonly told: Told
  readonly sample?: true | undefined
}

export const timelineSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    campaignId: { type: Schema.Types.ObjectId, required: true },
    at: { type: Date, required: true },
    memberId: { type: String },
    told: { type: Schema.Types.Mixed, required: true },
    sample: { type: Boolean },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw', minimize: false },
)
timelineSchema.index({ workspaceId: 1, campaignId: 1, at: -1, _id: -1 }, { name: 'campaign' })
timelineSchema.index({ workspaceId: 1, sample: 1 }, { name: 'sample', partialFilterExpression: { sample: true } })
