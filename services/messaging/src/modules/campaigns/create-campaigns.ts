import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { JobRecord, Jobs } from '@parley/service-kit/queue/jobs'
import { createHoldLimit } from '../../platform/limits/hold-limit.ts'
import type { MessagingMetrics } from '../../platform/metrics.ts'
import type { NumbersService } from '../channel/numbers/numbers.service.ts'
import type { ListConsent } from '../contacts/consent/list-consent.ts'
import type { ContactListsService } from '../contacts/contact-lists.service.ts'
import type { ContactsRepository, ContactsService } from '../contacts/contacts.service.ts'
import type { ImportPeople } from '../contacts/imports/import-people.ts'
import type { SegmentsService } from '../contacts/segments/segments.service.ts'
import type { ConversationsService } from '../inbox/conversations/conversations.service.ts'
import type { MessagingLimitSlots } from '../inbox/messages/messaging-limit-slots.ts'
import type { Outbox } from '../inbox/messages/outbox.ts'
import type { createSendingHours } from '../outbound/sending-hours/sending-hours.service.ts'
import type { TemplatesService } from '../templates/templates.service.ts'
import type { createUsage } from '../usage/ledger/usage.ts'
import type { Quota } from '../usage/plan/quota.service.ts'
import type { RateCards } from '../usage/rate-cards/rate-cards.service.ts'
import { createAudienceParts } from './audience/audience-parts.ts'
import { createAudiencePreview } from './audience/audience-preview.ts'
import { createMaterializeAudience } from './audience/materialize-audience.ts'
import { createMaterializeStep } from './audience/materialize-step.ts'
import { createRecentSince } from './audience/recent-since.ts'
import { createRetargetAudience } from './audience/retarget-audience.ts'
import { createGroupsOf } from './audience/zone-groups.ts'
import { createCampaignChanges } from './campaign-changes.service.ts'
import { createCampaignCost } from './campaign-cost.ts'
import { createCampaignText } from './campaign-text.ts'
import type { CampaignRecord } from './campaigns.model.ts'
import { createCampaignsRepository } from './campaigns.repository.ts'
import { createCampaignsService } from './campaigns.service.ts'
import { createAudienceNames } from './drafts/audience-names.ts'
import { createDrafts } from './drafts/create-drafts.ts'
import { createDraftsRepository } from './drafts/drafts.repository.ts'
import { createShowDrafts } from './drafts/show-drafts.ts'
import { createOldRowsRepository } from './recipients/old-rows.repository.ts'
import { createOldRowRemoval } from './recipients/old-rows.ts'
import { createRecipientListsRepository } from './recipients/recipient-lists.repository.ts'
import type { RecipientsRepository } from './recipients/recipients.repository.ts'
import { createReschedule } from './reschedule.ts'
import { createResults } from './results/create-results.ts'
import { createFollowHeldBack } from './results/follow-held-back.ts'
import { createSentAgain } from './results/sent-again.ts'
import { createCampaignNotes } from './results/timeline.repository.ts'
import { createCampaignGate } from './run/campaign-gating.ts'
import { createCampaignRun, type SendingContext } from './run/campaign-run.ts'
import { createCommitIfUnchanged } from './run/commit-if-unchanged.ts'
import { createDeliveryOf } from './run/delivery.ts'
import { createFairShareRank } from './run/fair-share-rank.ts'
import { createOpenMessages } from './run/open-messages.ts'
import { createQueueing } from './run/queueing.ts'
import type { Recount } from './run/recount.ts'

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly cursors: PageCursors
  readonly recipients: RecipientsRepository
  readonly recount: Recount
  readonly contacts: ContactsService
  readonly contactLists: ContactListsService
  readonly mergedIds: ContactsRepository['mergedIds']
  readonly importPeople: ImportPeople
  readonly segments: SegmentsService
  readonly conversations: ConversationsService
  readonly messages: Outbox
  readonly places: MessagingLimitSlots
  readonly templates: TemplatesService
  readonly numbers: Pick<NumbersService, 'read'>
  readonly suppressions: ListConsent['suppressions']
  readonly needsOptIn: (scope: WorkspaceScope) => Promise<boolean>
  readonly queue: Jobs['add']
  readonly transaction: RunInTransaction
  readonly wakeSender: (lane: number) => void
  readonly sendingHours: ReturnType<typeof createSendingHours>
  readonly rateCards: Pick<RateCards, 'at' | 'from'>
  readonly usageOf: ReturnType<typeof createUsage>['ofCampaign']
  readonly quota: Quota
  readonly countPause: MessagingMetrics['countPause']
}

/** Wires what people do with campaigns and what workers do for them. */
export function createCampaigns(deps: Dependencies) {
  const { recipients, recount, contacts, messages, templates, numbers, transaction, wakeSender: wake } = deps
  const campaigns = createCampaignsRepository(deps.mongo, deps.cursors)
  const rows = createRecipientListsRepository(deps.mongo, deps.cursors)
  const { importPeople } = deps
  const audiences = createAudienceParts({
    partsOfSelection: deps.contactLists.partsOfSelection,
    walk: contacts.walk,
    importPeople,
    areRowsRemoved: campaigns.areRowsRemoved,
  })
  const audienceNames = createAudienceNames({
    segmentNames: deps.segments.namesOf,
    readCampaigns: campaigns.readMany,
    fileNames: importPeople.fileNames,
  })
  const meansOf = async (campaign: CampaignRecord): Promise<SendingContext> => {
    const [found, number] = await Promise.all([
      templates.readMany(campaign, [campaign.templateId]),
      numbers.read(campaign, campaign.numberId),
    ])
    return { template: found.get(campaign.templateId), number }
  }
  const notes = createCampaignNotes(deps.mongo)
  const { note } = notes
  const zoneOf = async (scope: WorkspaceScope) => (await deps.sendingHours.read(scope)).zone
  const sentAgain = createSentAgain({ campaigns })
  const missed = createRetargetAudience({ campaigns, recipients, readMessages: messages.readMany, sentAgain, zoneOf })
  const commitIfUnchanged = createCommitIfUnchanged({ records: campaigns, transaction })
  const turnOf = createFairShareRank({ campaigns })
  const open = createOpenMessages({ recipients, messages, commitIfUnchanged, turnOf, transaction, wake })
  const recentSince = createRecentSince(deps.sendingHours.read)
  const reschedule = createReschedule({ campaigns, note, zoneOf, transaction })
  const drafts = createDraftsRepository(deps.mongo)
  const showDrafts = createShowDrafts({
    audienceNames,
    readCampaigns: campaigns.readMany,
    readTemplates: templates.readMany,
    shownContacts: contacts.shown,
  })
  const shown = createCampaignsService({ campaigns, recipients, hintStale: recount.hintStale, drafts, showDrafts })
  const freeze = createMaterializeAudience({
    recipients,
    rows,
    contacts,
    audiences,
    missed,
    importPeople,
    suppressions: deps.suppressions,
    groupsOf: createGroupsOf({ readHours: deps.sendingHours.read }),
  })
  const queue = (records: readonly JobRecord[]) =>
    deps.queue(records.map(({ id, workspaceId }) => ({ id, workspaceId })))
  const deliveryOf = createDeliveryOf({
    readNumber: numbers.read,
    campaigns,
    places: deps.places,
    readHours: deps.sendingHours.read,
  })
  const { reviewWork, checks, ...forDrafts } = createDrafts({
    drafts,
    showDrafts,
    shown,
    freeze,
    recipients,
    recount,
    recentSince,
    earlier: missed.earlier,
    sendAgain: sentAgain.claim,
    notes,
    holdLimit: createHoldLimit(deps.mongo),
    zoneOf,
    importPeople,
    audienceNames,
    countContacts: contacts.count,
    templates,
    numbers,
    segments: deps.segments,
    needsOptIn: deps.needsOptIn,
    cardAt: deps.rateCards.at,
    quota: deps.quota,
    deliveryOf,
    reschedule,
    transaction,
    queue,
  })
  const campaignRun = createCampaignRun({
    campaigns,
    recipients,
    messages,
    reschedule,
    open,
    recount,
    meansOf,
    notes,
    transaction,
    materialize: createMaterializeStep({
      freeze,
      commitIfUnchanged,
      recount,
      rulesOf: async (campaign) => ({
        category: (await meansOf(campaign)).template?.category,
        needsOptIn: await deps.needsOptIn(campaign),
        recentSince: await recentSince(campaign, campaign.startedAt ?? new Date()),
      }),
    }),
    queueing: createQueueing({
      recipients,
      messages,
      recentSince,
      commitIfUnchanged,
      turnOf,
      wake,
      conversations: deps.conversations,
    }),
    readWait: createCampaignGate({ readHours: deps.sendingHours.read, messages, places: deps.places }),
    audienceProblem: audiences.problemOf,
    followHeldBack: createFollowHeldBack({ campaigns, totals: recipients.totals, note, transaction, queue }),
    quota: deps.quota,
    countPause: deps.countPause,
  })
  const preview = createAudiencePreview({
    contacts,
    audiences,
    missed,
    importPeople,
    recentSince,
    categoryOf: async (scope, id) => (await templates.find(scope, id)).category,
    needsOptIn: deps.needsOptIn,
  })
  return {
    campaigns: { ...shown, ...preview },
    campaignCost: createCampaignCost({
      find: shown.find,
      totals: recipients.totals,
      hintStale: recount.hintStale,
      usageOf: deps.usageOf,
      pricesFrom: deps.rateCards.from,
    }),
    readCampaign: campaigns.read,
    deliveryOf,
    campaignText: createCampaignText({
      find: shown.find,
      templateOf: async (campaign) => (await meansOf(campaign)).template,
    }),
    ...createResults({
      mongo: deps.mongo,
      cursors: deps.cursors,
      campaigns,
      drafts,
      recipients,
      rows,
      contacts,
      importPeople,
      contactLists: deps.contactLists,
      mergedIds: deps.mergedIds,
      segments: deps.segments,
      find: shown.find,
      createDraft: forDrafts.campaignDrafts.create,
      retried: missed.retried,
      messages,
    }),
    ...forDrafts,
    campaignChanges: createCampaignChanges({
      campaigns,
      shown,
      open,
      meansOf,
      reschedule,
      note,
      transaction,
      queue,
      momentFor: checks.momentFor,
      totals: recipients.totals,
      quota: deps.quota,
    }),
    /** For the worker, which has the setting. @param size.rows in one transaction. @param size.batches in one job. */
    createOldRowRemoval: (months: number, size: { rows?: number; batches?: number } = {}) =>
      createOldRowRemoval({
        campaigns,
        oldRows: createOldRowsRepository(deps.mongo),
        note,
        transaction,
        months,
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
