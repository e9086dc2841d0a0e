import { builtInSegments } from '@parley/contracts/contacts/segments'
import { waitForReader } from '@parley/service-kit/data/event-feed'
import { createMediaFiles } from '@parley/service-kit/media/media-files'
import type { Platform } from '../../platform/platform.ts'
import type { Records } from '../../records.ts'
import type { ApprovalsModule } from '../approvals/module.ts'
import type { Channel } from '../channel/module.ts'
import type { Inbox } from '../inbox/module.ts'
import { createAttributesRepository } from './attributes/attributes.repository.ts'
import { createAttributesService } from './attributes/attributes.service.ts'
import { createFieldUses } from './attributes/field-uses.ts'
import { createBlockWork } from './blocking/block-work.ts'
import { blockKind, createBlocking } from './blocking/blocking.service.ts'
import { createChangeIdentity } from './change-identity.ts'
import { createConditionParts } from './condition-parts.ts'
import { createConsentRepository } from './consent/consent.repository.ts'
import { createConsentService } from './consent/consent.service.ts'
import { createConsentDownload } from './consent/consent-download.ts'
import { createConsentSettings } from './consent/consent-settings.service.ts'
import { createCustomerCommands } from './consent/customer-commands.ts'
import { createListConsent } from './consent/list-consent.ts'
import { createContactChangesService } from './contact-changes.service.ts'
import { createContactCountsRepository } from './contact-counts.repository.ts'
import { createContactCounts } from './contact-counts.service.ts'
import { createContactListsService } from './contact-lists.service.ts'
import { createContactStore } from './contact-store.ts'
import { createContactsService } from './contacts.service.ts'
import { createImportPeople } from './imports/import-people.ts'
import { createImportProgress } from './imports/import-progress.ts'
import { createImportRowsService } from './imports/import-rows.service.ts'
import { createImportWork } from './imports/import-work.ts'
import { createImportsRepository } from './imports/imports.repository.ts'
import { createImportsService, kindOf } from './imports/imports.service.ts'
import { createReadSteps } from './imports/read-step.ts'
import { createUndoStep } from './imports/undo-step.ts'
import { createChangeWork } from './jobs/change-work.ts'
import { createChangedContacts } from './jobs/changed-contacts.ts'
import { createContactJobsService } from './jobs/contact-jobs.service.ts'
import { createExportWork } from './jobs/export-work.ts'
import { changeKind, exportKind, undoKind } from './jobs/job-inputs.ts'
import { createSelectionApprovals } from './jobs/selection-approvals.ts'
import { createSegmentsRepository } from './segments/segments.repository.ts'
import { createSegmentsService } from './segments/segments.service.ts'
import { createTagsRepository } from './tags/tags.repository.ts'
import { createTagsService, type NamesTags } from './tags/tags.service.ts'

/** Milliseconds for which bulk work waits at each step until flows have read what it has recorded for them. */
const flowsReadMs = 5000

/** The services of higher modules that this one calls. */
export type AboveContacts = Pick<Parameters<typeof createChangeIdentity>[0], 'mergeIdentities'> &
  Pick<NamesTags, 'campaigns'>
export type Contacts = ReturnType<typeof createContacts>

/** Contacts: their fields, lists, consent, segments, imports, blocking, and work over many of them. */
export function createContacts(
  platform: Platform,
  {
    contactRecords,
    ...records
  }: Pick<
    Records,
    | 'addNotifications'
    | 'campaignRecords'
    | 'contactRecords'
    | 'conversationRecords'
    | 'mentionNames'
    | 'messageRecords'
  >,
  {
    conversations,
    numbers,
    outgoing,
    views,
    approvals,
    approvalRules,
  }: ApprovalsModule & Pick<Channel, 'numbers'> & Pick<Inbox, 'conversations' | 'outgoing' | 'views'>,
  above: AboveContacts,
) {
  const { mongo, cursors } = platform
  const consentRecords = createConsentRepository(mongo, cursors)
  const consentSettings = createConsentSettings({ ...platform, consent: consentRecords })
  const listConsent = createListConsent({ consent: consentRecords, settings: consentSettings })
  const tags = createTagsRepository(mongo)
  const updateConversations = conversations.contactsChanged
  const store = createContactStore({ contacts: contactRecords, updateConversations })
  const flowsHaveRead = (workspaceId: string) =>
    waitForReader(mongo, { consumer: 'automation', workspaceId, withinMs: flowsReadMs })
  const stored = {
    ...platform,
    ...records,
    ...above,
    conversations,
    numbers,
    views,
    updateConversations,
    tags,
    store,
    contacts: contactRecords,
    flowsHaveRead,
  }
  const contacts = createContactsService({ ...stored, changeIdentity: createChangeIdentity(stored) })
  const forConsent = { ...platform, contacts, consent: consentRecords, settings: consentSettings }
  const consent = createConsentService(forConsent)
  const attributes = createAttributesService({ ...platform, attributes: createAttributesRepository(mongo) })
  const conditionParts = createConditionParts({ tags })
  const segmentRecords = createSegmentsRepository(mongo)
  const counts = createContactCounts({
    ...stored,
    conditionParts,
    segments: async (scope) => [...builtInSegments, ...(await segmentRecords.list(scope))],
    stored: createContactCountsRepository(mongo),
  })
  const segments = createSegmentsService({ ...platform, counts, segments: segmentRecords, labels: attributes.labels })
  const importRecords = createImportsRepository(mongo, cursors)
  const lists = createContactListsService({
    ...stored,
    counts,
    conditionParts,
    filterOf: segments.filterOf,
    hasImport: async (scope, id) => (await importRecords.read(scope, id)) !== null,
  })
  const selectionApprovals = createSelectionApprovals({
    imports: importRecords,
    ...stored,
    approvals,
    approvalRules,
    lists,
    segments,
    labels: attributes.labels,
  })
  const approve = selectionApprovals.require
  const forJobs = { ...stored, lists, segments, approve, files: createMediaFiles(mongo, 'exportFiles') }
  const change = createChangeWork({ ...forJobs, changed: createChangedContacts(mongo) })
  const { importKinds, ...imports } = createImports({
    ...stored,
    attributes,
    usedFields: createFieldUses(platform, { contactRecords, ...records }),
    consent: { ...listConsent, align: consent.align },
  })
  return {
    ...imports,
    contactStore: store,
    contacts,
    attributes,
    tags: createTagsService({ ...platform, tags }),
    ensureTags: tags.ensure,
    segments,
    contactLists: lists,
    selectionApprovals,
    contactChanges: createContactChangesService({ ...stored, approve, attributes, consent: listConsent }),
    contactJobs: createContactJobsService(forJobs),
    consentSettings,
    listConsent,
    consent,
    consentDownload: createConsentDownload(forConsent),
    customerCommands: createCustomerCommands({ ...forConsent, ...records, outgoing }),
    blocking: createBlocking(stored),
    contactKinds: {
      ...importKinds,
      [exportKind]: createExportWork(forJobs),
      [changeKind]: change,
      [undoKind]: change,
      [blockKind]: createBlockWork(stored),
    },
  }
}

type Steps = Parameters<typeof createReadSteps>[0]

/** Imports: what people do with them, and what workers do for them. */
export function createImports(
  parts: Pick<Platform, 'mongo' | 'cursors' | 'jobs' | 'wakeEvents' | 'transaction'> &
    Pick<Parameters<typeof createImportsService>[0], 'queueJobs'> &
    Pick<Parameters<typeof createImportProgress>[1], 'addNotifications'> &
    Omit<Steps, 'imports' | 'files' | 'progress'> &
    Pick<Parameters<typeof createUndoStep>[0], 'contacts' | 'consent' | 'usedFields' | 'attributes'>,
) {
  const imports = createImportsRepository(parts.mongo, parts.cursors)
  const files = createMediaFiles(parts.mongo, 'importFiles')
  const steps = { ...parts, imports, files, progress: createImportProgress(imports, parts) }
  const work = createImportWork({ ...steps, openRows: createReadSteps(steps), undoStep: createUndoStep(steps) })
  return {
    imports: createImportsService(steps),
    importRows: createImportRowsService(imports),
    importPeople: createImportPeople(imports),
    importKinds: Object.fromEntries(Object.values(kindOf).map((kind) => [kind, work])),
  }
}
