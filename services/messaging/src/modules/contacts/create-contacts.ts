import { builtInSegments } from '@parley/contracts/contacts/segments'
import type { Logger } from '@parley/service-kit/core/logger'
import type { JobRecords } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import type { Jobs } from '@parley/service-kit/queue/jobs'
import { createHoldLimit } from '../../platform/limits/hold-limit.ts'
import { createAttributesRepository } from './attributes/attributes.repository.ts'
import { createAttributesService } from './attributes/attributes.service.ts'
import { createConditionParts } from './condition-parts.ts'
import type { ConsentService } from './consent/consent.service.ts'
import type { ListConsent } from './consent/list-consent.ts'
import { createContactChangesService } from './contact-changes.service.ts'
import { createContactCountsRepository } from './contact-counts.repository.ts'
import { createContactCounts } from './contact-counts.service.ts'
import { createContactListsService } from './contact-lists.service.ts'
import { type Caller, createContactStore } from './contact-store.ts'
import type { ContactsRepository } from './contacts.repository.ts'
import { createImports } from './imports/create-imports.ts'
import { createContactJobs } from './jobs/create-contact-jobs.ts'
import { createSegmentsRepository } from './segments/segments.repository.ts'
import { createSegmentsService } from './segments/segments.service.ts'
import { createTagsRepository } from './tags/tags.repository.ts'
import { createTagsService, type RenameTag } from './tags/tags.service.ts'

/** Names of records, by their ids; those that are gone are not among them. */
type NamesOf = (scope: WorkspaceScope, ids: readonly string[]) => Promise<Map<string, string>>

type RenameIn = (
  ctx: Caller,
  rename: { tag: string; to: string; only?: readonly string[] | undefined },
  tx: Tx,
) => Promise<string[]>

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly cursors: PageCursors
  readonly contacts: ContactsRepository
  readonly updateConversations: Parameters<typeof createContactStore>[0]['updateConversations']
  readonly listConsent: ListConsent
  readonly alignConsent: ConsentService['align']
  /** Campaigns that have not begun name tags too, beside segments and files of imports. @returns the ids of those that were changed. */
  readonly renameInCampaigns: (names: { segmentNames: NamesOf; fileNames: NamesOf }) => RenameIn
  /** So do saved views of lists. */
  readonly renameInViews: RenameIn
  readonly contactNameOf: Parameters<typeof createContactJobs>[0]['contactNameOf']
  readonly mentionNames: Parameters<typeof createContactJobs>[0]['mentionNames']
  readonly jobs: JobRecords
  readonly queueJobs: Jobs['add']
  readonly wakeEvents: (workspaceId: string) => void
  readonly logger: Logger
  readonly transaction: RunInTransaction
}

/** Wires what people do with contacts: lists, changes, imports. */
export function createContacts({ mongo, cursors, contacts, transaction, logger, ...given }: Dependencies) {
  const tags = createTagsRepository(mongo)
  const store = createContactStore({ contacts, updateConversations: given.updateConversations })
  const conditionParts = createConditionParts({ tags })
  const segmentRecords = createSegmentsRepository(mongo)
  const counts = createContactCounts({
    contacts,
    tags,
    segments: async (scope) => [...builtInSegments, ...(await segmentRecords.list(scope))],
    conditionParts,
    stored: createContactCountsRepository(mongo),
    logger,
  })
  const holdLimit = createHoldLimit(mongo)
  const attributes = createAttributesService({ attributes: createAttributesRepository(mongo), holdLimit, transaction })
  const segments = createSegmentsService({
    segments: segmentRecords,
    counts,
    labels: attributes.labels,
    holdLimit,
    transaction,
  })
  const lists = createContactListsService({ contacts, tags, counts, filterOf: segments.filterOf, conditionParts })
  const forChanges = { contacts, tags, attributes, store, consent: given.listConsent, transaction }
  const forJobs = { mongo, jobs: given.jobs, queue: given.queueJobs, wakeEvents: given.wakeEvents }
  const renameTag: RenameTag = async (ctx, { tag, to, only }, tx) => ({
    segments: await segments.renameTag(ctx, { tag, to, only: only?.segments }, tx),
    campaigns: await renameInCampaigns(ctx, { tag, to, only: only?.campaigns }, tx),
    views: await given.renameInViews(ctx, { tag, to, only: only?.views }, tx),
  })
  const { contactJobs, kinds } = createContactJobs({
    ...forJobs,
    ...forChanges,
    lists,
    renameTag,
    contactNameOf: given.contactNameOf,
    mentionNames: given.mentionNames,
  })
  const { importKinds, ...forImports } = createImports({
    ...forJobs,
    ...forChanges,
    cursors,
    consent: { ...given.listConsent, align: given.alignConsent },
  })
  const renameInCampaigns = given.renameInCampaigns({
    segmentNames: segments.namesOf,
    fileNames: forImports.importPeople.fileNames,
  })
  return {
    attributes,
    tags: createTagsService({ tags, transaction }),
    segments,
    contactStore: store,
    contactLists: lists,
    contactChanges: createContactChangesService(forChanges),
    contactJobs,
    ...forImports,
    jobKinds: { ...kinds, ...importKinds },
  }
}
