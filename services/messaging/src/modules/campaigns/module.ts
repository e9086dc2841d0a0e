import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import type { Base } from '../../records.ts'
import type { ApprovalsModule } from '../approvals/module.ts'
import type { Channel } from '../channel/module.ts'
import type { Contacts } from '../contacts/module.ts'
import type { Inbox } from '../inbox/module.ts'
import type { Outbound } from '../outbound/module.ts'
import type { Templates } from '../templates/module.ts'
import type { Usage } from '../usage/module.ts'
import { createAudienceParts } from './audience/audience-parts.ts'
import { createAudiencePreview } from './audience/audience-preview.ts'
import { createMaterializeAudience } from './audience/materialize-audience.ts'
import { createMaterializeStep } from './audience/materialize-step.ts'
import { createRetargetAudience } from './audience/retarget-audience.ts'
import { createCampaignChanges } from './campaign-changes.service.ts'
import { createCampaignCost } from './campaign-cost.ts'
import { createCampaignText } from './campaign-text.ts'
import { createCampaignsService } from './campaigns.service.ts'
import { createCampaignsOfContact } from './campaigns-of-contact.ts'
import { createAudienceNames } from './drafts/audience-names.ts'
import { createDraftsService } from './drafts/drafts.service.ts'
import { createLaunch } from './drafts/launch.service.ts'
import { createLaunchApprovals } from './drafts/launch-approvals.ts'
import { createReviews } from './drafts/review.service.ts'
import { createReviewChecks } from './drafts/review-checks.ts'
import { createReviewWork } from './drafts/review-work.ts'
import { createShowDrafts } from './drafts/show-drafts.ts'
import { createOldRowRemoval } from './recipients/old-rows.ts'
import { createRecipientListsRepository } from './recipients/recipient-lists.repository.ts'
import { createRecipientListsService } from './recipients/recipient-lists.service.ts'
import { createRecipientsDownload } from './recipients/recipients-download.ts'
import { createShowRecipients } from './recipients/show-recipients.ts'
import { createRenameTag } from './rename-tag.ts'
import { createReschedule } from './reschedule.ts'
import { createExplain } from './results/explain.service.ts'
import { createFollowHeldBack } from './results/follow-held-back.ts'
import { createRetry } from './results/retry.service.ts'
import { createSentAgain } from './results/sent-again.ts'
import { createCampaignTimeline } from './results/timeline.service.ts'
import { readMeans } from './run/auto-pause.ts'
import { createCampaignGate } from './run/campaign-gating.ts'
import { createCampaignRun } from './run/campaign-run.ts'
import { createCommitIfUnchanged } from './run/commit-if-unchanged.ts'
import { createDeliveryOf } from './run/delivery.ts'
import { createOpenMessages } from './run/open-messages.ts'
import { createQueueing } from './run/queueing.ts'
import type { Recount } from './run/recount.ts'
import { createRecordReplies } from './tracking/answers.ts'

type Lower = Base & ApprovalsModule & Channel & Inbox & Contacts & Usage & Templates & Outbound & { recount: Recount }
export type Campaigns = ReturnType<typeof createCampaigns>

/** Campaigns: what people do with them, and what workers do for them. */
export function createCampaigns(lower: Lower) {
  const { mongo, cursors, queues, campaignNotes, campaignRecords } = lower
  const stored = {
    ...lower,
    campaigns: campaignRecords,
    messages: lower.outbox,
    notes: campaignNotes,
    note: campaignNotes.note,
    countPause: lower.figures.countPause,
    rows: createRecipientListsRepository(mongo, cursors),
    now: () => new Date(),
    queue: (jobs: readonly JobRecord[]) =>
      queues.jobs('campaigns').add(jobs.map(({ id, workspaceId }) => ({ id, workspaceId }))),
    queueFiles: (campaigns: readonly JobRecord[]) => queues.jobs('recipient-files').add(campaigns),
    meansOf: (record: WorkspaceScope & { readonly templateId: string; readonly numberId: string }) =>
      readMeans(lower, record),
  }
  const audienceNames = createAudienceNames(stored)
  const named = {
    ...stored,
    audienceNames,
    showDrafts: createShowDrafts({ ...stored, audienceNames }),
    audiences: createAudienceParts(stored),
    sentAgain: createSentAgain(stored),
    reschedule: createReschedule(stored),
    deliveryOf: createDeliveryOf(stored),
    commitIfUnchanged: createCommitIfUnchanged({ ...lower, records: campaignRecords }),
  }
  const missed = createRetargetAudience(named)
  const shown = createCampaignsService(named)
  const parts = {
    ...named,
    missed,
    shown,
    open: createOpenMessages(named),
    freeze: createMaterializeAudience({ ...named, missed }),
    checks: createReviewChecks({ ...named, missed }),
  }
  const campaignDrafts = createDraftsService(parts)
  const launchApprovals = createLaunchApprovals({ ...parts, campaignDrafts })
  const show = createShowRecipients({ ...lower, readMessages: lower.outbox.readMany })
  const results = { ...parts, campaignDrafts, show }
  return {
    campaigns: { ...shown, ...createAudiencePreview(parts) },
    recordReplies: createRecordReplies(stored),
    renameTag: createRenameTag(named),
    deliveryOf: parts.deliveryOf,
    campaignCost: createCampaignCost(parts),
    campaignText: createCampaignText(parts),
    campaignChanges: createCampaignChanges({ ...parts, requireSecond: launchApprovals.requireSecond }),
    campaignDrafts,
    campaignReviews: createReviews(results),
    launchApprovals,
    launchCampaign: createLaunch({ ...parts, requireApproval: launchApprovals.require }),
    recipientsDownload: createRecipientsDownload(parts),
    recipientLists: { ...createRecipientListsService(results), ...createCampaignsOfContact(results) },
    explainRecipient: createExplain(results),
    campaignTimeline: createCampaignTimeline(parts),
    retryCampaign: createRetry(results),
    /** Creates the work of the worker, which has the setting. @param size.rows in one transaction. @param size.batches in one job. */
    createOldRowRemoval: (months: number, size: { rows?: number; batches?: number } = {}) =>
      createOldRowRemoval({ ...lower, campaigns: campaignRecords, note: campaignNotes.note, months, ...size }),
    reviewWork: createReviewWork(parts),
    campaignRun: createCampaignRun({
      ...parts,
      materialize: createMaterializeStep(parts),
      queueing: createQueueing(parts),
      readWait: createCampaignGate(parts),
      followHeldBack: createFollowHeldBack(parts),
    }),
  }
}
