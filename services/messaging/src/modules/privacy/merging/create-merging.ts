import { haveTwoAccounts } from '@parley/contracts/contacts/contact-merge'
import { isNamed } from '@parley/rules/contact-name'
import { AppError } from '@parley/service-kit/core/errors'
import type { JobRecords } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { Jobs } from '@parley/service-kit/queue/jobs'
import type { ConsentService } from '../../contacts/consent/consent.service.ts'
import type { ListConsent } from '../../contacts/consent/list-consent.ts'
import type { ContactRecord, ContactsRepository } from '../../contacts/contacts.service.ts'
import type { ConversationsRepository, ConversationsService } from '../../inbox/conversations/conversations.service.ts'
import { createDuplicates } from './duplicates.ts'
import { createMergedConsent } from './merged-consent.ts'
import { type Account, withOnePhone } from './merged-fields.ts'
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
  readonly consent: Pick<ConsentService, 'record' | 'align'>
  readonly listConsent: ListConsent
  readonly jobs: JobRecords
  readonly queueJobs: Jobs['add']
  readonly wakeEvents: (workspaceId: string) => void
  readonly transaction: RunInTransaction
}) {
  const merging = createMerging({
    contacts,
    threads: createMergedThreads({ stored: given.stored, conversations, numberIds: given.numberIds }),
    updateConversations: conversations.contactsChanged,
    consent: createMergedConsent({ ...given.consent, lists: given.listConsent }),
    jobs,
    queue: given.queueJobs,
    transaction,
  })
  const mergeKinds = { [moveKind]: createMoveMessages({ mongo, jobs, contacts, wakeEvents: given.wakeEvents }) }
  return {
    merging: { ...merging, mergeIdentities: createMergeIdentities(merging.merge) },
    mergeKinds,
    duplicates: createDuplicates(contacts),
  }
}

/**
 * WhatsApp has told two identities of one person, which two contacts have: they are merged, unless something speaks against it. A number
 * that is known with another user id has changed hands.
 */
const createMergeIdentities =
  (merge: ReturnType<typeof createMerging>['merge']) =>
  /** @param account how they are reached from now on, where a notice has told it: then nothing speaks against it. */
  async (
    { workspaceId }: WorkspaceScope,
    kept: ContactRecord,
    other: ContactRecord,
    account?: Account,
  ): Promise<void> => {
    if (!kept.live || !other.live || kept.id === other.id) return
    if (!account && haveTwoAccounts(...withOnePhone<Account>(kept, other, false))) return
    const taken = { name: !isNamed(kept) && isNamed(other), account: false, attributes: [] }
    const versions = { version: kept.version, otherVersion: other.version }
    await merge({ workspaceId }, kept.id, { otherId: other.id, taken, ...versions }, account).catch(
      (error: unknown) => {
        // For people to decide, or for the next message.
        if (!(error instanceof AppError)) throw error
      },
    )
  }
