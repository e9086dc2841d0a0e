import { createAccountEvents } from '../modules/channel/account-events/account-events.ts'
import { createIngestedEvents } from '../modules/channel/ingest/ingested-events.ts'
import { createApplyService } from '../modules/inbound/apply.service.ts'
import { createOrphanUpdates } from '../modules/inbound/orphan-updates.ts'
import { createOutboundMedia } from '../modules/media/outbound-media.ts'
import type { LinkTokens } from '../modules/outbound/link-tokens.ts'
import { createSending } from '../modules/outbound/sending/create-sending.ts'
import type { CampaignCounts } from './campaign-counts.ts'
import type { Campaigns } from './campaigns.ts'
import type { Contacts } from './contacts.ts'
import type { Messages } from './messages.ts'
import type { Numbers } from './numbers.ts'
import type { Platform } from './platform.ts'
import type { Stores } from './stores.ts'

/** Wires the traffic with WhatsApp: webhooks are stored and applied, messages are sent. */
export function wireDelivery(
  platform: Platform,
  stores: Stores,
  given: {
    readonly numbers: Numbers
    readonly messages: Messages
    readonly contacts: Contacts
    readonly campaigns: Campaigns
    readonly counts: CampaignCounts
    readonly linkTokens: LinkTokens
  },
) {
  const { mongo, queues, transaction, wakeSender, figures, graphs, logger } = platform
  const { numbers, numberEvents, numberActivity } = given.numbers
  const { conversations, messages, outgoing, media } = given.messages
  const { contacts, consent, customerCommands, blocking, listConsent } = given.contacts
  const { templates, templateEvents, needsOptIn } = given.campaigns
  const accountEvents = createAccountEvents(mongo, {
    applyToNumbers: numberEvents.apply,
    applyToTemplates: templateEvents.apply,
    readNumber: numbers.read,
    listNumbers: numbers.list,
    addNotifications: given.numbers.addNotifications,
  })
  const apply = createApplyService({
    events: createIngestedEvents(stores.rawEvents, figures.countDead),
    contacts,
    conversations,
    messages,
    accountEvents,
    parked: createOrphanUpdates(mongo),
    recordUsage: stores.usage.record,
    consent,
    commands: customerCommands,
    blockedHaveWritten: blocking.haveWritten,
    recordReplies: given.counts.recordReplies,
    numbers: { idsOf: numbers.idsOf, saw: numberActivity.saw, stopForFailure: numbers.stopForFailure },
    fetchMedia: (records) => queues.jobs('media').add(records),
    transaction,
    logger,
  })
  const createSender = createSending({
    outbox: stores.outbox,
    messages,
    contacts,
    transaction,
    needsOptIn,
    logger,
    readNumber: numbers.read,
    readConversations: stores.conversations.readMany,
    places: stores.messages,
    readTemplates: templates.readMany,
    readMessages: stores.messages.readMany,
    suppressions: listConsent.suppressions,
    tokenOf: numbers.tokenOf,
    graphOf: ({ graphUrl }) => graphs.of(graphUrl),
    media: createOutboundMedia(mongo, media),
    linkTokenOf: given.linkTokens.of,
    stopNumber: numbers.stop,
    applyParked: apply.applyParked,
    countSend: figures.countSend,
    releaseScheduled: outgoing.releaseScheduled,
    wake: wakeSender,
  })
  return { apply, accountEvents, createSender }
}
