import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import type { Platform } from '../../platform/platform.ts'
import type { Channel } from '../channel/module.ts'
import type { Contacts } from '../contacts/module.ts'
import type { AboveInbox, Inbox } from '../inbox/module.ts'
import type { Outbound } from '../outbound/module.ts'
import type { Templates } from '../templates/module.ts'
import type { Usage } from '../usage/module.ts'
import { createApprovalRules } from './approvals/approval-rules.service.ts'
import { createApprovalsRepository } from './approvals/approvals.repository.ts'
import { createApprovals } from './approvals/approvals.service.ts'
import { createAudienceParts } from './audience/audience-parts.ts'
import { createAudiencePreview } from './audience/audience-preview.ts'
import { createMaterializeAudience } from './audience/materialize-audience.ts'
import { createMaterializeStep } from './audience/materialize-step.ts'
import { recentSinceOf } from './audience/recent-since.ts'
import { createRetargetAudience } from './audience/retarget-audience.ts'
import { createCampaignChanges } from './campaign-changes.service.ts'
import { createCampaignCost } from './campaign-cost.ts'
import { createCampaignText } from './campaign-text.ts'
import { createCampaignsRepository } from './campaigns.repository.ts'
import { clicksOf, createCampaignsService } from './campaigns.service.ts'
import { createCampaignsOfContact } from './campaigns-of-contact.ts'
import { createCampaignsOfTemplate } from './campaigns-of-template.ts'
import { createAudienceNames } from './drafts/audience-names.ts'
import { createDraftsRepository } from './drafts/drafts.repository.ts'
import { createDraftsService } from './drafts/drafts.service.ts'
import { createLaunch } from './drafts/launch.service.ts'
import { createReviews } from './drafts/review.service.ts'
import { createReviewChecks } from './drafts/review-checks.ts'
import { createReviewResult } from './drafts/review-result.ts'
import { createReviewWork } from './drafts/review-work.ts'
import { createShowDrafts } from './drafts/show-drafts.ts'
import { createCampaignRows } from './recipients/campaign-rows.ts'
import { createOldRowsRepository } from './recipients/old-rows.repository.ts'
import { createOldRowRemoval } from './recipients/old-rows.ts'
import { createRecipientListsRepository } from './recipients/recipient-lists.repository.ts'
import { createRecipientListsService } from './recipients/recipient-lists.service.ts'
import { createRecipientsRepository } from './recipients/recipients.repository.ts'
import { createRecipientsDownload } from './recipients/recipients-download.ts'
import { createShowRecipients } from './recipients/show-recipients.ts'
import { countsOf } from './recipients/tallies.ts'
import { createRenameTag } from './rename-tag.ts'
import { createReschedule, createRescheduleAll } from './reschedule.ts'
import { createAudienceAnswers } from './results/audience-answers.ts'
import { createExplain } from './results/explain.service.ts'
import { createFollowHeldBack } from './results/follow-held-back.ts'
import { createRetry } from './results/retry.service.ts'
import { createSentAgain } from './results/sent-again.ts'
import { createCampaignNotes, createTimelinePages } from './results/timeline.repository.ts'
import { createCampaignTimeline } from './results/timeline.service.ts'
import { createCampaignGate } from './run/campaign-gating.ts'
import { createCampaignRun } from './run/campaign-run.ts'
import { createCommitIfUnchanged } from './run/commit-if-unchanged.ts'
import { createDeliveryOf } from './run/delivery.ts'
import { createFairShareRank } from './run/fair-share-rank.ts'
import { createOpenMessages } from './run/open-messages.ts'
import { createQueueing } from './run/queueing.ts'
import { createQuotaHolders } from './run/quota-holders.ts'
import { createRecount } from './run/recount.ts'
import { createNoteAnswers } from './tracking/answers.ts'

type Lower = Channel & Inbox & Contacts & Usage & Templates & Outbound
export type Campaigns = ReturnType<typeof createCampaigns>

/** Campaigns: what people do with them, and what workers do for them. */
export function createCampaigns(platform: Platform, lower: Lower, above: Pick<AboveInbox, 'addNotifications'>) {
  const { mongo, cursors, queues, figures } = platform
  const { contacts, templates, numbers, outbox: messages, messageRecords, sendingHours, quota } = lower
  const campaigns = createCampaignsRepository(mongo, cursors)
  const recipients = createRecipientsRepository(mongo)
  const notes = createCampaignNotes(mongo)
  const stored = {
    ...platform,
    ...lower,
    addNotifications: above.addNotifications,
    messages,
    places: messageRecords,
    campaigns,
    recipients,
    rows: createRecipientListsRepository(mongo, cursors),
    drafts: createDraftsRepository(mongo),
    notes,
    note: notes.note,
    wake: platform.wakeSender,
    countPause: figures.countPause,
    now: () => new Date(),
    queue: (records: readonly JobRecord[]) =>
      queues.jobs('campaigns').add(records.map(({ id, workspaceId }) => ({ id, workspaceId }))),
    /** Reads the template and the number of a campaign or draft as they are now. */
    meansOf: async ({
      workspaceId,
      templateId,
      numberId,
    }: WorkspaceScope & { templateId: string; numberId: string }) => {
      const [found, number] = await Promise.all([
        templates.readMany({ workspaceId }, [templateId]),
        numbers.readToSend({ workspaceId }, numberId),
      ])
      return { template: found.get(templateId), number }
    },
  }
  const holders = createQuotaHolders(stored)
  const recount = createRecount({
    ...platform,
    recipients,
    areRowsRemoved: campaigns.areRowsRemoved,
    changedSince: messageRecords.changedSince,
    countDifference: () => figures.countDifference('campaign'),
    settleQuota: async (scope, campaignId, tallies, tx) => {
      const holder = await holders.countedAs(scope, campaignId, tallies, tx)
      if (holder) await quota.settle(scope, holder, tx)
    },
    queue: queues.jobs('campaign-counts').add,
  })
  const audienceNames = createAudienceNames(stored)
  const named = {
    ...stored,
    recount,
    audienceNames,
    showDrafts: createShowDrafts({ ...stored, audienceNames }),
    audiences: createAudienceParts(stored),
    sentAgain: createSentAgain(stored),
    reschedule: createReschedule(stored),
    deliveryOf: createDeliveryOf(stored),
    turnOf: createFairShareRank(stored),
    commitIfUnchanged: createCommitIfUnchanged({ ...platform, records: campaigns }),
  }
  const missed = createRetargetAudience(named)
  const shown = createCampaignsService(named)
  const parts = {
    ...named,
    missed,
    shown,
    open: createOpenMessages(named),
    freeze: createMaterializeAudience({ ...named, missed }),
    checks: createReviewChecks({
      ...named,
      missed,
      meansOf: ({ workspaceId }, draft) => stored.meansOf({ ...draft, workspaceId }),
    }),
  }
  const campaignDrafts = createDraftsService(parts)
  const approvalRules = createApprovalRules(platform)
  const approvals = createApprovals({
    ...parts,
    campaignDrafts,
    approvals: createApprovalsRepository(mongo),
    rules: approvalRules,
  })
  const reviewWork = createReviewWork({ ...parts, resultOf: createReviewResult(parts) })
  const campaignRun = createCampaignRun({
    ...parts,
    materialize: createMaterializeStep({
      ...parts,
      rulesOf: async (campaign) => ({
        category: (await stored.meansOf(campaign)).template?.category,
        needsOptIn: await lower.consentSettings.needsOptIn(campaign),
        recentSince: await recentSinceOf(sendingHours, campaign, campaign.startedAt ?? new Date()),
      }),
    }),
    queueing: createQueueing(parts),
    readWait: createCampaignGate(parts),
    followHeldBack: createFollowHeldBack(parts),
  })
  const show = createShowRecipients({ readMessages: messages.readMany, readContacts: contacts.shown })
  const showOutcomes = createShowRecipients({ readMessages: messages.readOutcomes, readContacts: contacts.shown })
  const results = { ...parts, campaignDrafts, show }
  return {
    campaigns: { ...shown, ...createAudiencePreview(parts) },
    readCampaign: campaigns.read,
    readCampaigns: campaigns.readMany,
    countsOfCampaign: async (scope: WorkspaceScope, id: string) =>
      countsOf((await recipients.totals(scope, [id])).get(id) ?? {}),
    campaignsForFigures: {
      countActive: campaigns.countActive,
      names: async (scope: WorkspaceScope, ids: readonly string[]) =>
        new Map((await campaigns.readMany(scope, ids)).map(({ id, name }) => [id, name])),
      /** Returns campaigns that have sent something since a moment, over their whole life. */
      since: async (scope: WorkspaceScope, since: Date, numberId: string | undefined) => {
        const found = await campaigns.sendingSince(scope, since, { numberId })
        const totals = await recipients.totals(
          scope,
          found.map(({ id }) => id),
        )
        return found.flatMap(({ id, name, template }) => {
          const { sent, delivered, read, clicked } = countsOf(totals.get(id) ?? {})
          const isCounted = clicksOf(template).clicks === 'counted'
          return sent === 0 ? [] : [{ id, name, delivered, opened: read, clicked: clicked ?? (isCounted ? 0 : null) }]
        })
      },
    },
    holders,
    recount,
    noteInCampaigns: createCampaignRows({ recipients, recount }),
    recordReplies: createNoteAnswers({ recipients, recount, sentIn: messageRecords.ofCampaigns }),
    moveSchedules: createRescheduleAll(stored),
    renameTag: createRenameTag(named),
    ...createCampaignsOfTemplate(stored),
    deliveryOf: parts.deliveryOf,
    campaignCost: createCampaignCost(parts),
    campaignText: createCampaignText(parts),
    campaignChanges: createCampaignChanges({ ...parts, requireSecond: approvals.requireSecond }),
    campaignDrafts,
    campaignReviews: createReviews(results),
    approvals,
    approvalRules,
    launchCampaign: createLaunch({ ...parts, requireApproval: approvals.require }),
    recipientsDownload: createRecipientsDownload({ ...parts, show: showOutcomes }),
    recipientLists: { ...createRecipientListsService(results), ...createCampaignsOfContact(results) },
    explainRecipient: createExplain({ ...results, answersOf: createAudienceAnswers(parts) }),
    campaignTimeline: createCampaignTimeline({ ...parts, pages: createTimelinePages(mongo, cursors) }),
    retryCampaign: createRetry(results),
    /** Creates the work of the worker, which has the setting. @param size.rows in one transaction. @param size.batches in one job. */
    createOldRowRemoval: (months: number, size: { rows?: number; batches?: number } = {}) =>
      createOldRowRemoval({
        ...platform,
        campaigns,
        note: notes.note,
        months,
        oldRows: createOldRowsRepository(mongo),
        ...size,
      }),
    campaignRun: {
      ...campaignRun,
      /** Performs the job of a campaign or of a draft. */
      perform: async (job: JobRecord, requeue: () => void): Promise<void> => {
        await campaignRun.perform(job, requeue)
        await reviewWork.perform(job, requeue)
      },
    },
  }
}
