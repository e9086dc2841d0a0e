import type { CampaignReview } from '@parley/contracts/campaigns/campaign-drafts'
import type { DraftFields } from '@parley/contracts/campaigns/campaign-fields'
import type { CampaignRecord, Frozen, FrozenTemplate, Schedule, watched } from '../campaigns.model.ts'

/** Facts that a review depends on beside the draft, its template and its number, as they were when the review began. */
export interface ReviewFacts {
  readonly needsOptIn: boolean
  readonly isQualityLow: boolean
  /** Digest of the conditions of its segment. */
  readonly conditions?: string | undefined
  /** Digest of the conditions of the segments that its audience goes without. */
  readonly exclusions?: string | undefined
  /** Reason why no contact of its import can be written to. */
  readonly importProblem?: string | undefined
  /** The moment of its schedule. */
  readonly scheduledFor?: Date | undefined
}

export type ReviewResult = Pick<
  CampaignReview,
  'counts' | 'fallbacks' | 'cost' | 'delivery' | 'files' | 'problems' | 'warnings'
>

/** The audience of a draft being written down. */
export interface ReviewRecord {
  readonly id: string
  readonly state: CampaignReview['state']
  /** Contacts that were made later are not in it. */
  readonly startedAt: Date
  /** Member who asked for it. */
  readonly by?: string | undefined
  readonly readyAt?: Date | undefined
  /** Sentence for a person. */
  readonly failure?: string | undefined
  readonly facts: ReviewFacts
  readonly result?: ReviewResult | undefined
}

/** Campaign that a member is writing, stored among the campaigns. */
export interface DraftRecord {
  readonly id: string
  readonly workspaceId: string
  readonly status: 'draft'
  readonly name: string
  readonly searchKey: string
  readonly audience?: DraftFields['audience']
  /** Names as they were when it was saved: for what is gone meanwhile, and for searches. */
  readonly audienceName: string
  readonly templateName: string
  readonly numberId?: string | undefined
  readonly templateId?: string | undefined
  readonly variables: DraftFields['variables']
  readonly schedule?: Schedule | undefined
  readonly anyHour?: true | undefined
  readonly recentDays?: number | undefined
  readonly retryHeldBack?: true | undefined
  readonly recipientFile?: DraftFields['recipientFile']
  /** Times it was written: the version that members see, which the work of a review does not change. */
  readonly edition: number
  /** Review of the draft as it is; writing the draft again removes it. */
  readonly review?: ReviewRecord | undefined
  /** The template as the review found it. */
  readonly template?: FrozenTemplate | undefined
  /** State of the written audience, as long as it has rows. */
  readonly frozen?: Frozen | undefined
  /** Set while workers have something to do for it, with the time from when on. */
  readonly watch?: typeof watched | undefined
  readonly nextAt?: Date | undefined
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A draft under review has all that a review needs: it was checked when the review began. */
export type UnderReview = DraftRecord &
  Pick<CampaignRecord, 'audience' | 'numberId' | 'templateId' | 'template' | 'variables' | 'frozen'> & {
    readonly review: ReviewRecord
  }

export function isUnderReview(draft: DraftRecord): draft is UnderReview {
  const { review, audience, numberId, templateId, template, frozen } = draft
  return [review, audience, numberId, templateId, template, frozen].every((part) => part !== undefined)
}

/** Rest of a deleted draft until its rows are gone. */
interface RemovedRecord extends Omit<DraftRecord, 'status'> {
  readonly status: 'removed'
}

/** Any record of the collection of campaigns. */
export type AnyRecord = CampaignRecord | DraftRecord | RemovedRecord

export const isLaunched = (record: AnyRecord): record is CampaignRecord =>
  record.status !== 'draft' && record.status !== 'removed'
