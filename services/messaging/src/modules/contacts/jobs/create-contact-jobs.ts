import type { JobRecords, JobReference } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import { createMediaFiles } from '@parley/service-kit/media/media-files'
import type { ContactListsService } from '../contact-lists.service.ts'
import type { ContactStore } from '../contact-store.ts'
import type { ContactsRepository } from '../contacts.repository.ts'
import type { TagsRepository } from '../tags/tags.repository.ts'
import type { RenameTag } from '../tags/tags.service.ts'
import { changeKind, undoKind } from './change-input.ts'
import { createChangeWork } from './change-work.ts'
import { createChangedContacts } from './changed-contacts.ts'
import { createContactJobsService } from './contact-jobs.service.ts'
import { exportKind } from './export-input.ts'
import { createExportWork } from './export-work.ts'

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly jobs: JobRecords
  readonly contacts: ContactsRepository
  readonly tags: TagsRepository
  readonly renameTag: RenameTag
  readonly store: ContactStore
  readonly lists: ContactListsService
  readonly contactNameOf: Parameters<typeof createContactJobsService>[0]['contactNameOf']
  readonly mentionNames: Parameters<typeof createContactJobsService>[0]['mentionNames']
  readonly queue: (jobs: readonly JobReference[]) => Promise<void>
  readonly wakeEvents: (workspaceId: string) => void
  readonly transaction: RunInTransaction
}

/** Wires work over many contacts: what people start, and what workers do for it. */
export function createContactJobs({
  mongo,
  jobs,
  contacts,
  tags,
  renameTag,
  store,
  lists,
  wakeEvents,
  ...given
}: Dependencies) {
  const files = createMediaFiles(mongo, 'exportFiles')
  const change = createChangeWork({
    jobs,
    contacts,
    lists,
    wakeEvents,
    tags,
    renameTag,
    store,
    changed: createChangedContacts(mongo),
  })
  return {
    contactJobs: createContactJobsService({
      mongo,
      jobs,
      files,
      lists,
      contacts,
      store,
      ...given,
    }),
    kinds: {
      [exportKind]: createExportWork({ jobs, files, contacts, lists, wakeEvents }),
      [changeKind]: change,
      [undoKind]: change,
    },
  }
}
