import { builtInSegments } from '@parley/contracts/contacts/segments'
import { waitForReader } from '@parley/service-kit/data/event-feed'
import { createMediaFiles } from '@parley/service-kit/media/media-files'
import type { Platform } from '../../platform/platform.ts'
import type { Base } from '../../records.ts'
import type { ApprovalsModule } from '../approvals/module.ts'
import type { Channel } from '../channel/module.ts'
import type { Inbox } from '../inbox/module.ts'
import { createAttributesService } from './attributes/attributes.service.ts'
import { createFieldUses } from './attributes/field-uses.ts'
import { createBlockWork } from './blocking/block-work.ts'
import { createBlocking } from './blocking/blocking.service.ts'
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
import { createImportRowsService } from './imports/import-rows.service.ts'
import { createImportWork } from './imports/import-work.ts'
import { createImportsRepository } from './imports/imports.repository.ts'
import { createImportsService, kindOf } from './imports/imports.service.ts'
import { createChangeWork } from './jobs/change-work.ts'
import { createContactJobsService } from './jobs/contact-jobs.service.ts'
import { createExportWork } from './jobs/export-work.ts'
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
export function createContacts(lower: Base & ApprovalsModule & Channel & Inbox & AboveContacts) {
  const { mongo, cursors, contactRecords } = lower
  const tags = createTagsRepository(mongo)
  const updateConversations = lower.conversations.contactsChanged
  const store = createContactStore({ contacts: contactRecords, updateConversations })
  const stored = {
    ...lower,
    contacts: contactRecords,
    tags,
    store,
    updateConversations,
    conditionParts: createConditionParts({ tags }),
    imports: createImportsRepository(mongo, cursors),
    flowsHaveRead: (workspaceId: string) =>
      waitForReader(mongo, { consumer: 'automation', workspaceId, withinMs: flowsReadMs }),
  }
  const contacts = createContactsService({ ...stored, changeIdentity: createChangeIdentity(stored) })
  const consentRecords = createConsentRepository(mongo, cursors)
  const consentSettings = createConsentSettings({ ...lower, consent: consentRecords })
  const listConsent = createListConsent({ consent: consentRecords, settings: consentSettings })
  const forConsent = { ...lower, contacts, consent: consentRecords, settings: consentSettings }
  const consent = createConsentService(forConsent)
  const attributes = createAttributesService(lower)
  const segmentRecords = createSegmentsRepository(mongo)
  const counts = createContactCounts({
    ...stored,
    segments: async (scope) => [...builtInSegments, ...(await segmentRecords.list(scope))],
    stored: createContactCountsRepository(mongo),
  })
  const segments = createSegmentsService({ ...lower, counts, attributes, segments: segmentRecords })
  const lists = createContactListsService({ ...stored, counts, segments })
  const selectionApprovals = createSelectionApprovals({ ...stored, lists, segments, attributes })
  const files = createMediaFiles(mongo, 'exportFiles')
  const parts = { ...stored, lists, segments, attributes, files, approve: selectionApprovals.require }
  const { importKinds, ...imports } = createImports({
    ...parts,
    usedFields: createFieldUses(lower),
    consent: { ...listConsent, align: consent.align },
  })
  return {
    ...imports,
    contactStore: store,
    contacts,
    attributes,
    tags: createTagsService({ ...lower, tags }),
    ensureTags: tags.ensure,
    segments,
    contactLists: lists,
    selectionApprovals,
    contactChanges: createContactChangesService({ ...parts, consent: listConsent }),
    contactJobs: createContactJobsService(parts),
    consentSettings,
    listConsent,
    consent,
    consentDownload: createConsentDownload(forConsent),
    customerCommands: createCustomerCommands(forConsent),
    blocking: createBlocking(stored),
    contactKinds: {
      ...importKinds,
      ...createExportWork(parts),
      ...createChangeWork(parts),
      ...createBlockWork(stored),
    },
  }
}

/** Imports: what people do with them, and what workers do for them. */
export function createImports(
  parts: Pick<Platform, 'mongo' | 'cursors' | 'jobs' | 'wakeEvents' | 'transaction'> &
    Pick<Parameters<typeof createImportsService>[0], 'queueJobs'> &
    Omit<Parameters<typeof createImportWork>[0], 'imports' | 'files'>,
) {
  const imports = createImportsRepository(parts.mongo, parts.cursors)
  const files = createMediaFiles(parts.mongo, 'importFiles')
  const work = createImportWork({ ...parts, imports, files })
  return {
    imports: createImportsService({ ...parts, imports, files }),
    importRows: createImportRowsService(imports),
    importPeople: createImportPeople(imports),
    importKinds: Object.fromEntries(Object.values(kindOf).map((kind) => [kind, work])),
  }
}
