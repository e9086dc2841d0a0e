import { errors } from '@parley/service-kit/core/errors'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { Jobs } from '@parley/service-kit/queue/jobs'
import type { Figures } from '../../figures.ts'
import type { createUsage } from '../apply/usage.ts'
import type { ListConsent } from '../consent/list-consent.ts'
import type { ContactListsService } from '../contacts/contact-lists.service.ts'
import type { ContactsRepository, ContactsService } from '../contacts/contacts.service.ts'
import type { SegmentsService } from '../contacts/segments/segments.service.ts'
import type { ConversationsService } from '../conversations/conversations.service.ts'
import type { Outbox } from '../messages/outbox.ts'
import type { NumbersService } from '../numbers/numbers.service.ts'
import type { RateCards } from '../rate-cards/rate-cards.service.ts'
import type { createSendingHours } from '../sending-hours/sending-hours.service.ts'
import type { TemplatesService } from '../templates/templates.service.ts'
import { createAudiencePreview } from './audience-preview.ts'
import { createCampaignChanges } from './campaign-changes.service.ts'
import { createCampaignCost } from './campaign-cost.ts'
import { createCampaignRun, type RunMeans } from './campaign-run.ts'
import { createCampaignText } from './campaign-text.ts'
import type { CampaignRecord } from './campaigns.model.ts'
import { createCampaignsRepository } from './campaigns.repository.ts'
import { createCampaignsService } from './campaigns.service.ts'
import { createCampaignsOfContact } from './campaigns-of-contact.ts'
import { createChangeAtEnd } from './change-at-end.ts'
import { createFreeze, type PartsOfAudience, selectionOf } from './freeze.ts'
import { createMissedRows } from './missed.ts'
import { createOpenMessages } from './open-messages.ts'
import { createQueueing } from './queueing.ts'
import type { Quota } from './quota/quota.service.ts'
import { createRecentSince } from './recent-since.ts'
import { createRecipientListsRepository } from './recipient-lists.repository.ts'
import { createRecipientListsService } from './recipient-lists.service.ts'
import type { RecipientsRepository } from './recipients.repository.ts'
import { createRecipientsDownload } from './recipients-download.ts'
import type { Recount } from './recount.ts'
import { createShowRecipients } from './show-recipients.ts'

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly cursors: PageCursors
  readonly recipients: RecipientsRepository
  readonly recount: Recount
  readonly contacts: ContactsService
  readonly contactLists: ContactListsService
  readonly mergedIds: ContactsRepository['mergedIds']
  readonly segments: SegmentsService
  readonly conversations: ConversationsService
  readonly messages: Outbox
  readonly templates: TemplatesService
  readonly numbers: Pick<NumbersService, 'read'>
  readonly suppressions: ListConsent['suppressions']
  readonly needsOptIn: (scope: WorkspaceScope) => Promise<boolean>
  readonly queue: Jobs['add']
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  readonly wakeSender: (lane: number) => void
  readonly sendingHours: ReturnType<typeof createSendingHours>
  readonly rateCards: Pick<RateCards, 'at' | 'from'>
  readonly usageOf: ReturnType<typeof createUsage>['ofCampaign']
  readonly quota: Quota
  readonly countPause: Figures['countPause']
}

/** Wires what people do with campaigns and what workers do for them. */
export function createCampaigns(deps: Dependencies) {
  const { recipients, recount, contacts, messages, templates, numbers, transaction, wakeSender: wake } = deps
  const campaigns = createCampaignsRepository(deps.mongo, deps.cursors)
  const partsOfAudience: PartsOfAudience = (scope, audience) =>
    deps.contactLists.partsOfSelection(scope, selectionOf(audience))
  const meansOf = async (campaign: CampaignRecord): Promise<RunMeans> => {
    const [found, number] = await Promise.all([
      templates.readMany(campaign, [campaign.templateId]),
      numbers.read(campaign, campaign.numberId),
    ])
    return { template: found.get(campaign.templateId), number }
  }
  const missed = createMissedRows({ campaigns, recipients })
  const changeAtEnd = createChangeAtEnd({ campaigns, transaction })
  const open = createOpenMessages({ recipients, messages, changeAtEnd, transaction, wake })
  const recentSince = createRecentSince(deps.sendingHours.read)
  const shown = createCampaignsService({
    campaigns,
    recipients,
    hintStale: recount.hintStale,
  })
  const preview = createAudiencePreview({
    ...{ contacts, partsOfAudience, missed, recentSince },
    categoryOf: async (scope, id) => (await templates.find(scope, id)).category,
    needsOptIn: deps.needsOptIn,
    cardAt: deps.rateCards.at,
  })
  const rows = createRecipientListsRepository(deps.mongo, deps.cursors)
  const show = createShowRecipients({ readMessages: messages.readMany, readContacts: contacts.shown })
  return {
    campaigns: { ...shown, ...preview },
    campaignCost: createCampaignCost({
      find: shown.find,
      totals: recipients.totals,
      usageOf: deps.usageOf,
      pricesFrom: deps.rateCards.from,
    }),
    readCampaign: campaigns.read,
    campaignText: createCampaignText({
      find: shown.find,
      templateOf: async (campaign) => (await meansOf(campaign)).template,
    }),
    recipientsDownload: createRecipientsDownload({ find: shown.find, recipients, show }),
    recipientLists: {
      ...createRecipientListsService({
        find: shown.find,
        rows,
        totals: recipients.totals,
        show,
        searchContacts: deps.contactLists.list,
      }),
      ...createCampaignsOfContact({
        rows,
        show,
        readContact: deps.contactLists.read,
        mergedIds: deps.mergedIds,
        latestBegun: campaigns.latestBegun,
      }),
    },
    campaignChanges: createCampaignChanges({
      campaigns,
      shown,
      preview: preview.preview,
      planCost: preview.planCost,
      open,
      findTemplate: templates.find,
      findNumber: async (scope, id) => {
        const number = await numbers.read(scope, id)
        if (!number) throw errors.notFound('This number is not connected any more.')
        return number
      },
      meansOf,
      earlier: missed.earlier,
      nameOfSegment: async (scope, id) => (await deps.segments.find(scope, id)).name,
      totals: recipients.totals,
      quota: deps.quota,
      transaction,
      queue: (records) => deps.queue(records.map(({ id, workspaceId }) => ({ id, workspaceId }))),
    }),
    campaignRun: createCampaignRun({
      campaigns,
      recipients,
      messages,
      freeze: createFreeze({
        recipients,
        contacts,
        partsOfAudience,
        missed,
        rulesOf: async (campaign) => ({
          category: (await meansOf(campaign)).template?.category,
          needsOptIn: await deps.needsOptIn(campaign),
          recentSince: await recentSince(campaign, campaign.startedAt ?? new Date()),
        }),
        suppressions: deps.suppressions,
        changeAtEnd,
      }),
      queueing: createQueueing({
        recipients,
        messages,
        conversations: deps.conversations,
        recentSince,
        changeAtEnd,
        wake,
      }),
      open,
      recount,
      meansOf,
      waitsUntil: deps.sendingHours.waitsUntil,
      quota: deps.quota,
      countPause: deps.countPause,
      transaction,
    }),
  }
}
