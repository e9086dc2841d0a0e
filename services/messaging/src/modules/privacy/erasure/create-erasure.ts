import type { Logger } from '@parley/service-kit/core/logger'
import type { JobRecords } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { Recount } from '../../campaigns/run/recount.ts'
import type { ConsentService } from '../../contacts/consent/consent.service.ts'
import type { ContactStore } from '../../contacts/contact-store.ts'
import type { ContactsRepository } from '../../contacts/contacts.service.ts'
import { eraseKind, personExportKind } from '../../contacts/jobs/person-input.ts'
import { createPersonConversations } from '../../inbox/conversations/person-conversations.ts'
import { createEraseWork } from './erase-work.ts'
import { createPersonExport } from './person-export.ts'

/** Wires what workers do for one person: give out everything that is stored of them, and delete it. */
export function createErasure({
  numberIds,
  ...given
}: {
  readonly mongo: ServiceConnection
  readonly jobs: JobRecords
  readonly contacts: Pick<ContactsRepository, 'read' | 'findBy' | 'addFormer' | 'mergedIds' | 'remove'>
  readonly consent: Pick<ConsentService, 'forget' | 'entriesOf'>
  readonly logger: Logger
  readonly store: Pick<ContactStore, 'putBack'>
  readonly numberIds: (scope: WorkspaceScope) => Promise<readonly string[]>
  readonly recount: Pick<Recount, 'hint'>
  readonly wakeEvents: (workspaceId: string) => void
  readonly transaction: RunInTransaction
}) {
  const conversations = createPersonConversations(given.mongo)
  const conversationIdsOf = async (scope: WorkspaceScope, contactId: string): Promise<string[]> =>
    conversations.idsOf(scope, contactId, await numberIds(scope))
  return {
    [eraseKind]: createEraseWork({ ...given, conversationIdsOf }),
    [personExportKind]: createPersonExport({ ...given, conversationIdsOf }),
  }
}
