import { countryOf } from '@parley/phone'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { createCampaignsOfTemplate, createUsesOfTemplate } from '../modules/campaigns/campaigns-of-template.ts'
import { createCampaigns } from '../modules/campaigns/create-campaigns.ts'
import { createTemplates } from '../modules/templates/create-templates.ts'
import type { CampaignCounts } from './campaign-counts.ts'
import type { Contacts } from './contacts.ts'
import type { Messages } from './messages.ts'
import type { Numbers } from './numbers.ts'
import type { Platform } from './platform.ts'
import type { Stores } from './stores.ts'

export type Campaigns = ReturnType<typeof wireCampaigns>

/** Wires campaigns and what they are made of: templates, sending hours and message prices. */
export function wireCampaigns(
  platform: Platform,
  stores: Stores,
  given: {
    readonly numbers: Numbers
    readonly messages: Messages
    readonly contacts: Contacts
    readonly counts: CampaignCounts
    /** Origin at which customers reach counted links. */
    readonly linksUrl: string | undefined
  },
) {
  const { mongo, cursors, queues, transaction, wakeSender, figures } = platform
  const { numbers } = given.numbers
  const { contacts, contactLists, importPeople, segments, consentSettings, listConsent } = given.contacts
  const needsOptIn = async (scope: WorkspaceScope) => (await consentSettings.read(scope)).needsOptIn
  const forTemplates = createTemplates({
    mongo,
    cursors,
    transaction,
    accessOf: numbers.accountAccess,
    accountsOf: numbers.accounts,
    usesOf: createUsesOfTemplate(mongo, cursors),
    media: given.messages.media,
    limitsOf: async (scope, accountId) =>
      (await numbers.list(scope)).flatMap(({ businessAccountId, messagingLimit }) =>
        businessAccountId === accountId ? [messagingLimit] : [],
      ),
    countryOf: async (scope, accountId) => {
      const own = (await numbers.list(scope)).find(({ businessAccountId }) => businessAccountId === accountId)
      return (own && countryOf(own.phoneNumber)) ?? null
    },
    cardAt: stores.rateCards.at,
    campaignsOf: createCampaignsOfTemplate(mongo, cursors),
    trackingAddress: given.linksUrl && `${given.linksUrl}/l/`,
    wakeSync: (records) =>
      queues.jobs('template-sync').add(records.map(({ id, workspaceId }) => ({ id, workspaceId }))),
  })
  const { sendingHours, rateCards } = stores
  const { quota, recount } = given.counts
  const forCampaigns = createCampaigns({
    mongo,
    cursors,
    recipients: stores.recipients,
    recount,
    contacts,
    contactLists,
    importPeople,
    mergedIds: stores.contacts.mergedIds,
    segments,
    conversations: given.messages.conversations,
    messages: stores.outbox,
    places: stores.messages,
    templates: forTemplates.templates,
    numbers,
    suppressions: listConsent.suppressions,
    needsOptIn,
    queue: queues.jobs('campaigns').add,
    transaction,
    wakeSender,
    sendingHours,
    rateCards,
    usageOf: stores.usage.ofCampaign,
    quota,
    countPause: figures.countPause,
  })
  return { ...forTemplates, ...forCampaigns, quota, recount, needsOptIn, sendingHours, rateCards }
}
