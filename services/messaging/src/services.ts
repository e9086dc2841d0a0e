import { countsOf } from './modules/campaigns/recipients/tallies.ts'
import { createSampleCampaigns } from './modules/campaigns/sample-campaigns.ts'
import { createSampleContacts } from './modules/contacts/sample-contacts.ts'
import { createSampleConversations } from './modules/inbox/conversations/sample-conversations.ts'
import { createSampleMessages } from './modules/inbox/messages/sample-messages.ts'
import { createSampleSearch } from './modules/inbox/search/sample-search.ts'
import { createRemoveFile } from './modules/media/remove-file.ts'
import { createSampleMedia } from './modules/media/sample-media.ts'
import { createNotifications } from './modules/notifications/create-notifications.ts'
import { createSampleNotifications } from './modules/notifications/sample-notifications.ts'
import type { LinkTokens } from './modules/outbound/link-tokens.ts'
import { createContactTimeline } from './modules/privacy/timeline/create-timeline.ts'
import { createSampleDataService } from './modules/sample/sample-data.service.ts'
import { createUsageWatch } from './modules/usage/plan/usage-watch.ts'
import { createJobWork } from './platform/job-work.ts'
import { wireAutomation } from './wiring/automation.ts'
import { wireCampaignCounts } from './wiring/campaign-counts.ts'
import { wireCampaigns } from './wiring/campaigns.ts'
import { wireContacts } from './wiring/contacts.ts'
import { wireDelivery } from './wiring/delivery.ts'
import { wireInbox } from './wiring/inbox.ts'
import { wireMessages } from './wiring/messages.ts'
import { wireNumbers } from './wiring/numbers.ts'
import { createPlatform, type PlatformDependencies } from './wiring/platform.ts'
import { createStores } from './wiring/stores.ts'

interface Dependencies extends PlatformDependencies {
  /** Origin at which WhatsApp reaches the ingest process. */
  readonly hooksUrl: string
  /** Origin at which customers reach the counted links of messages; visits cannot be counted without. */
  readonly linksUrl: string | undefined
  readonly linkTokens: LinkTokens
  /** True where workspaces are held to the limits of their plan. */
  readonly hasLimits: boolean
  /** True where owners choose their plan. */
  readonly isChoosable: boolean
  /** The files of one workspace together have at most these. */
  readonly storageLimitBytes: number
}

export type Services = ReturnType<typeof createServices>

/**
 * Wires stores to repositories to services; server, ingest and worker take what they need of it. Each domain is wired in its
 * own file of `wiring`; here is what reads of several of them.
 */
export function createServices({
  hooksUrl,
  linksUrl,
  linkTokens,
  hasLimits,
  isChoosable,
  storageLimitBytes,
  ...dependencies
}: Dependencies) {
  const platform = createPlatform(dependencies)
  const { mongo, cursors, transaction, logger } = platform
  const stores = createStores(platform)
  const counts = wireCampaignCounts(platform, stores, { hasLimits, isChoosable })
  const numbers = wireNumbers(platform, stores, hooksUrl)
  const messages = wireMessages(platform, stores, { numbers, counts, storageLimitBytes })
  const contacts = wireContacts(platform, stores, { numbers, messages, counts })
  const campaigns = wireCampaigns(platform, stores, { numbers, messages, contacts, counts, linksUrl })
  const inbox = wireInbox(platform, stores, { numbers, messages, contacts, counts })
  const delivery = wireDelivery(platform, stores, { numbers, messages, contacts, campaigns, counts, linkTokens })
  const automation = wireAutomation(platform, stores, { numbers, contacts, campaigns })
  const sampleData = createSampleDataService({
    states: stores.sampleStates,
    contacts: createSampleContacts(mongo),
    conversations: createSampleConversations(mongo),
    messages: createSampleMessages(mongo),
    media: createSampleMedia(messages.media.save, createRemoveFile(mongo)),
    search: createSampleSearch(mongo),
    numbers: numbers.sampleNumbers,
    templates: campaigns.sampleTemplates,
    campaigns: createSampleCampaigns(mongo),
    notifications: createSampleNotifications(mongo),
    transaction,
    logger,
  })
  const forNotifications = createNotifications({
    mongo,
    cursors,
    transaction,
    readCampaign: campaigns.readCampaign,
    countsOfCampaign: async (scope, id) => countsOf((await stores.recipients.totals(scope, [id])).get(id) ?? {}),
    readTemplate: async (scope, id) => (await campaigns.templates.readMany(scope, [id])).get(id),
    readNumber: numbers.numbers.read,
  })
  const timeline = createContactTimeline({
    mongo,
    cursors,
    find: contacts.contactLists.find,
    allMerged: stores.contacts.allMerged,
    fileNames: contacts.imports.fileNames,
    consent: contacts.consent.behind,
    campaigns: campaigns.recipientLists.behind,
  })
  return {
    ...numbers,
    ...messages,
    ...contacts,
    ...campaigns,
    ...inbox,
    ...delivery,
    ...automation,
    ...forNotifications,
    usageDays: counts.usageDays,
    applyPlan: counts.applyPlan,
    choosePlan: counts.choosePlan,
    countUsage: counts.countUsage,
    usageWatch: createUsageWatch({
      ...counts.forWatch,
      quota: counts.quota,
      addNotifications: forNotifications.addNotifications,
      transaction,
    }),
    sampleData,
    setAutomationState: stores.automationStates.set,
    timeline,
    jobWork: createJobWork(platform.jobs, { ...contacts.contactKinds, ...messages.chatExportKinds }),
    graphs: platform.graphs,
    /** Counts for alerts. */
    waiting: { countStopped: numbers.countStopped, countDead: stores.rawEvents.countDeadByKind },
  }
}
