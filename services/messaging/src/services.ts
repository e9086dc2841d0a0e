import type { Logger } from '@parley/service-kit/core/logger'
import type { Metrics } from '@parley/service-kit/core/metrics'
import type { SecretBox } from '@parley/service-kit/core/secret-box'
import { createJobRecords } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { inTransaction, type Tx } from '@parley/service-kit/data/transaction'
import { laneOf } from '@parley/service-kit/queue/lanes'
import type { Queues } from '@parley/service-kit/queue/queues'
import { createInbox } from './create-inbox.ts'
import { createAccountEvents } from './features/account-events/account-events.ts'
import { createApplyService } from './features/apply/apply.service.ts'
import { createParked } from './features/apply/parked.ts'
import { createUsage } from './features/apply/usage.ts'
import { createBlockWork } from './features/blocking/block-work.ts'
import { blockKind, createBlocking } from './features/blocking/blocking.service.ts'
import { createNoteAnswers } from './features/campaigns/answers.ts'
import { createCampaignRows } from './features/campaigns/campaign-rows.ts'
import { createCampaignsOfTemplate } from './features/campaigns/campaigns-of-template.ts'
import { createCampaigns } from './features/campaigns/create-campaigns.ts'
import { createRecipientsRepository } from './features/campaigns/recipients.repository.ts'
import { createRecount } from './features/campaigns/recount.ts'
import { createRenameTag } from './features/campaigns/rename-tag.ts'
import { createSampleCampaigns } from './features/campaigns/sample-campaigns.ts'
import { createChatExports } from './features/chat-exports/create-chat-exports.ts'
import { createConsent, createConsentRecords } from './features/consent/create-consent.ts'
import { createChangeIdentity } from './features/contacts/change-identity.ts'
import { createContactsRepository } from './features/contacts/contacts.repository.ts'
import { createContactsService, shownContacts } from './features/contacts/contacts.service.ts'
import { createContacts } from './features/contacts/create-contacts.ts'
import { createSampleContacts } from './features/contacts/sample-contacts.ts'
import { createConversationsRepository } from './features/conversations/conversations.repository.ts'
import { createConversationsService } from './features/conversations/conversations.service.ts'
import { createSampleConversations } from './features/conversations/sample-conversations.ts'
import { createCredentialsService } from './features/credentials/credentials.service.ts'
import { createEndpointKeys } from './features/endpoints/endpoint-keys.ts'
import { createEndpointsRepository } from './features/endpoints/endpoints.repository.ts'
import { createEndpointsService } from './features/endpoints/endpoints.service.ts'
import { createErasure } from './features/erasure/create-erasure.ts'
import { createIngestService } from './features/ingest/ingest.service.ts'
import { createIngestedEvents } from './features/ingest/ingested-events.ts'
import { createRawEventsRepository } from './features/ingest/raw-events.repository.ts'
import { createJobWork } from './features/jobs/job-work.ts'
import { createMediaFetching } from './features/media/fetch-media.ts'
import { createMediaService } from './features/media/media.service.ts'
import { createOutboundMedia } from './features/media/outbound-media.ts'
import { createRemoveFile } from './features/media/remove-file.ts'
import { createSampleMedia } from './features/media/sample-media.ts'
import { createContactMerging } from './features/merging/create-merging.ts'
import { createMessagesRepository } from './features/messages/messages.repository.ts'
import { createMessagesService } from './features/messages/messages.service.ts'
import { createOutbox } from './features/messages/outbox.ts'
import { createOutgoing } from './features/messages/outgoing.service.ts'
import { createSampleMessages } from './features/messages/sample-messages.ts'
import { createNotifications } from './features/notifications/create-notifications.ts'
import { createSampleNotifications } from './features/notifications/sample-notifications.ts'
import { createNumbers } from './features/numbers/create-numbers.ts'
import { createNumberAccess } from './features/numbers/number-access.ts'
import { createRateCards } from './features/rate-cards/rate-cards.service.ts'
import { createReadReceipts } from './features/read-receipts/read-receipts.service.ts'
import { createSampleDataRepository } from './features/sample-data/sample-data.repository.ts'
import { createSampleDataService } from './features/sample-data/sample-data.service.ts'
import { createSampleSearch } from './features/search/sample-search.ts'
import { createSending } from './features/sending/create-sending.ts'
import { createSendingHours } from './features/sending-hours/sending-hours.service.ts'
import { createTemplates } from './features/templates/create-templates.ts'
import { createContactTimeline } from './features/timeline/create-timeline.ts'
import { createViewsRepository } from './features/views/views.repository.ts'
import { createViewsService } from './features/views/views.service.ts'
import { createFigures } from './figures.ts'
import { wakeTogether } from './wake-together.ts'
import { createGraphClients } from './whatsapp/graph-clients.ts'

interface Dependencies {
  readonly logger: Logger
  readonly mongo: ServiceConnection
  readonly box: SecretBox
  readonly cursors: PageCursors
  readonly metrics: Metrics
  readonly queues: Pick<Queues, 'lanes' | 'jobs'>
  /** Origin at which WhatsApp reaches the ingest process. */
  readonly hooksUrl: string
}

export type Services = ReturnType<typeof createServices>

/** Soon enough for a colleague who watches; longer would be seen. */
const eventPauseMs = 10

/** Wires stores to repositories to services; server, ingest and worker take what they need of it. */
export function createServices({ logger, metrics, mongo, box, cursors, queues, hooksUrl }: Dependencies) {
  const figures = createFigures(metrics)
  const wakeSequencer = wakeTogether(queues.lanes('events'), eventPauseMs)
  /** The kit's transaction; after the commit the sequencer is told whose events it has to number. */
  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const workspaceIds = new Set<string>()
    const result = await inTransaction(mongo, ({ session, emit }) =>
      work({
        session,
        emit: (event) => {
          emit(event)
          workspaceIds.add(event.workspaceId)
        },
      }),
    )
    wakeSequencer([...workspaceIds].map(laneOf))
    return result
  }
  const graphs = createGraphClients()
  const rawEvents = createRawEventsRepository(mongo)
  const messagesRepository = createMessagesRepository(mongo)
  const outbox = createOutbox(messagesRepository)

  const wakeLanes = wakeTogether(queues.lanes('send'), eventPauseMs)
  const wakeSender = (lane: number) => wakeLanes([lane])

  const endpointsRepository = createEndpointsRepository(mongo)
  const endpoints = createEndpointsService({ endpoints: endpointsRepository, box, publicUrl: hooksUrl })
  const endpointKeys = createEndpointKeys({ endpoints: endpointsRepository, box })
  const forNumbers = createNumbers({
    mongo,
    box,
    endpoints,
    graphs,
    transaction,
    wakeSender,
    countSent: messagesRepository.countSent,
  })
  const { numbers, numberEvents, numberActivity, numberConnection } = forNumbers
  const credentials = createCredentialsService({ numbers, connection: numberConnection, endpoints })
  const forTemplates = createTemplates({
    mongo,
    cursors,
    transaction,
    accessOf: numbers.accountAccess,
    accountsOf: numbers.accounts,
    campaignsOf: createCampaignsOfTemplate(mongo, cursors),
    wakeSync: (records) =>
      queues.jobs('template-sync').add(records.map(({ id, workspaceId }) => ({ id, workspaceId }))),
  })
  const media = createMediaService(mongo)
  const sampleData = createSampleDataService({
    states: createSampleDataRepository(mongo),
    contacts: createSampleContacts(mongo),
    conversations: createSampleConversations(mongo),
    messages: createSampleMessages(mongo),
    media: createSampleMedia(media.save, createRemoveFile(mongo)),
    search: createSampleSearch(mongo),
    numbers: forNumbers.sampleNumbers,
    templates: forTemplates.sampleTemplates,
    campaigns: createSampleCampaigns(mongo),
    notifications: createSampleNotifications(mongo),
    transaction,
    logger,
  })
  const contactsRepository = createContactsRepository(mongo, cursors)
  const conversationsRepository = createConversationsRepository(mongo)
  const conversations = createConversationsService({
    conversations: conversationsRepository,
    contactsOf: shownContacts(contactsRepository),
  })
  const contacts = createContactsService({
    contacts: contactsRepository,
    changeIdentity: createChangeIdentity({
      contacts: contactsRepository,
      tellConversations: conversations.contactsChanged,
      mergeTold: (...told) => merging.mergeTold(...told),
      transaction,
    }),
  })
  const jobs = createJobRecords(mongo)
  const wakeEvents = (workspaceId: string) => wakeSequencer([laneOf(workspaceId)])
  const consentRecords = createConsentRecords({ mongo, cursors, box, transaction })
  const views = createViewsService({ views: createViewsRepository(mongo), transaction })
  const { jobKinds, contactStore, ...forContacts } = createContacts({
    mongo,
    cursors,
    listConsent: consentRecords.lists,
    renameInCampaigns: createRenameTag(mongo, cursors),
    renameInViews: views.renameTag,
    contacts: contactsRepository,
    tellConversations: conversations.contactsChanged,
    contactNameOf: async (scope, id) => (await conversations.showMany(scope, [id])).get(id)?.contact.name,
    jobs,
    queueJobs: queues.jobs('jobs').add,
    wakeEvents,
    transaction,
    logger,
  })
  const recipients = createRecipientsRepository(mongo)
  const recount = createRecount({ recipients, transaction, queue: queues.jobs('campaign-counts').add })
  const messages = createMessagesService({
    messages: messagesRepository,
    conversations,
    noteInCampaigns: createCampaignRows({ recipients, recount }),
    noteMarketing: contactsRepository.noteMarketing,
  })
  const outgoing = createOutgoing({
    messages: messagesRepository,
    sent: messages,
    conversations,
    transaction,
    wake: wakeSender,
    describeMedia: media.describe,
    isBlocked: async (scope, contactId) => (await contacts.read(scope, contactId))?.blocked === true,
  })
  const forConsent = createConsent({
    ...{ records: consentRecords, contacts, transaction, logger },
    send: (scope, conversationId, { text, key }) =>
      outgoing.send(scope, conversationId, {
        content: { type: 'text', text },
        clientId: key,
        cause: { kind: 'bot', id: 'consent' },
      }),
  })
  const { merging, duplicates, mergeKinds } = createContactMerging({
    ...{ mongo, conversations, jobs, wakeEvents, transaction },
    contacts: contactsRepository,
    stored: conversationsRepository,
    numberIds: numbers.allIds,
    recordConsent: forConsent.consent.record,
    listConsent: consentRecords.lists,
    queueJobs: queues.jobs('jobs').add,
  })
  const blocking = createBlocking({
    ...{ jobs, transaction },
    contacts: contactsRepository,
    store: contactStore,
    queueJobs: queues.jobs('jobs').add,
  })
  const { chatExports, chatExportKinds } = createChatExports({
    ...{ mongo, jobs, conversations, wakeEvents, transaction },
    contacts: contactsRepository,
    readNumber: numbers.read,
    queue: queues.jobs('jobs').add,
  })
  const needsOptIn = async (scope: WorkspaceScope) => (await forConsent.consentSettings.read(scope)).needsOptIn
  const sendingHours = createSendingHours(mongo)
  const readReceipts = createReadReceipts(mongo)
  const rateCards = createRateCards(mongo, sendingHours.read)
  const forCampaigns = createCampaigns({
    mongo,
    cursors,
    recipients,
    recount,
    contacts,
    contactLists: forContacts.contactLists,
    mergedIds: contactsRepository.mergedIds,
    segments: forContacts.segments,
    conversations,
    messages: outbox,
    templates: forTemplates.templates,
    numbers,
    suppressions: consentRecords.lists.suppressions,
    needsOptIn,
    queue: queues.jobs('campaigns').add,
    transaction,
    wakeSender,
    sendingHours,
    rateCards,
    countPause: figures.countPause,
  })
  const forNotifications = createNotifications({
    ...{ mongo, cursors, transaction },
    readCampaign: forCampaigns.readCampaign,
    readTemplate: async (scope, id) => (await forTemplates.templates.readMany(scope, [id])).get(id),
    readNumber: numbers.read,
  })
  const forInbox = createInbox({
    mongo,
    cursors,
    stores: { conversations: conversationsRepository, messages: messagesRepository, rawEvents },
    conversations,
    messages,
    isContact: async (scope, id) => (await contacts.read(scope, id))?.live === true,
    defaultNumber: numbers.defaultId,
    phoneOf: async (scope, id) => (await contacts.read(scope, id))?.phone,
    cardAt: rateCards.at,
    readCampaign: forCampaigns.readCampaign,
    transaction,
    wakeSender,
  })
  const apply = createApplyService({
    events: createIngestedEvents(rawEvents, figures.countDead),
    contacts,
    conversations,
    messages,
    accountEvents: createAccountEvents(mongo, {
      applyToNumbers: numberEvents.apply,
      applyToTemplates: forTemplates.templateEvents.apply,
    }),
    parked: createParked(mongo),
    recordUsage: createUsage(mongo).record,
    consent: forConsent.consent,
    commands: forConsent.customerCommands,
    blockedHaveWritten: blocking.haveWritten,
    noteAnswers: createNoteAnswers({ sentIn: messagesRepository.ofCampaigns, recipients, recount }),
    numbers: { idsOf: numbers.idsOf, saw: numberActivity.saw, stopForFailure: numbers.stopForFailure },
    fetchMedia: (records) => queues.jobs('media').add(records),
    transaction,
    logger,
  })
  const numberAccess = createNumberAccess({ numbers, graphs })
  const mediaFetching = createMediaFetching({
    messages: { change: messages.change, read: messagesRepository.read },
    save: media.save,
    accessOf: numberAccess,
    transaction,
  })
  const ingest = createIngestService({
    rawEvents,
    lanes: queues.lanes('apply'),
    countStored: figures.countStored,
  })
  const createSender = createSending({
    ...{ outbox, messages, contacts, transaction, needsOptIn, logger },
    readNumber: numbers.read,
    readConversations: conversationsRepository.readMany,
    readTemplates: forTemplates.templates.readMany,
    readMessages: messagesRepository.readMany,
    suppressions: consentRecords.lists.suppressions,
    tokenOf: numbers.tokenOf,
    graphOf: ({ graphUrl }) => graphs.of(graphUrl),
    media: createOutboundMedia(mongo, media),
    stopNumber: numbers.stop,
    applyParked: apply.applyParked,
    countSend: figures.countSend,
    releaseScheduled: outgoing.releaseScheduled,
    wake: wakeSender,
  })
  return {
    endpoints,
    endpointKeys,
    ...forNumbers,
    numberAccess,
    credentials,
    ...forTemplates,
    ...forConsent,
    ...forCampaigns,
    readReceipts,
    sendingHours,
    rateCards,
    listConsent: consentRecords.lists,
    ...forNotifications,
    recount,
    contacts,
    sampleData,
    views,
    ...forContacts,
    merging,
    duplicates,
    chatExports,
    timeline: createContactTimeline({
      ...{ mongo, cursors },
      find: forContacts.contactLists.find,
      allMerged: contactsRepository.allMerged,
      fileNames: forContacts.imports.fileNames,
      consent: forConsent.consent.behind,
      campaigns: forCampaigns.recipientLists.behind,
    }),
    blocking,
    jobWork: createJobWork(jobs, {
      ...jobKinds,
      ...mergeKinds,
      ...chatExportKinds,
      [blockKind]: createBlockWork({
        ...{ jobs, wakeEvents },
        contacts: contactsRepository,
        conversations: conversationsRepository,
        accessOf: numberAccess,
      }),
      ...createErasure({
        ...{ mongo, jobs, recount, transaction, wakeEvents, logger },
        store: contactStore,
        contacts: contactsRepository,
        consent: forConsent.consent,
        numberIds: numbers.allIds,
      }),
    }),
    conversations,
    ...forInbox,
    messages,
    outgoing,
    media,
    mediaFetching,
    dueMedia: messagesRepository.mediaDue,
    apply,
    createSender,
    ingest,
    rawEvents,
    outbox,
    graphs,
  }
}
