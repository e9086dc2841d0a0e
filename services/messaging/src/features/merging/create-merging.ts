import type { JobRecords } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { Jobs } from '@parley/service-kit/queue/jobs'
import type { ConsentService } from '../consent/consent.service.ts'
import type { ListConsent } from '../consent/list-consent.ts'
import type { ContactsRepository } from '../contacts/contacts.service.ts'
import type { ConversationsRepository, ConversationsService } from '../conversations/conversations.service.ts'
import { createDuplicates } from './duplicates.ts'
import { createMergedConsent } from './merged-consent.ts'
import { createMergedThreads } from './merged-threads.ts'
import { createMerging } from './merging.service.ts'
import { createMoveMessages, moveKind } from './move-messages.ts'

/** Wires the merging of contacts: what people start, and what workers do for it. */
export function createContactMerging({
  mongo,
  contacts,
  conversations,
  jobs,
  transaction,
  ...given
}: {
  readonly mongo: ServiceConnection
  readonly contacts: ContactsRepository
  readonly stored: ConversationsRepository
  readonly conversations: ConversationsService
  readonly numberIds: (scope: WorkspaceScope) => Promise<readonly string[]>
  readonly recordConsent: ConsentService['record']
  readonly listConsent: ListConsent
  readonly jobs: JobRecords
  readonly queueJobs: Jobs['add']
  readonly wakeEvents: (workspaceId: string) => void
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}) {
  const merging = createMerging({
    contacts,
    threads: createMergedThreads({ stored: given.stored, conversations, numberIds: given.numberIds }),
    updateConversations: conversations.contactsChanged,
    consent: createMergedConsent({ record: given.recordConsent, lists: given.listConsent }),
    jobs,
    queue: given.queueJobs,
    transaction,
  })
  const mergeKinds = { [moveKind]: createMoveMessages({ mongo, jobs, contacts, wakeEvents: given.wakeEvents }) }
  return { merging, mergeKinds, duplicates: createDuplicates(contacts) }
}
