import type { JobRecords, JobReference } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import { createMediaFiles } from '@parley/service-kit/media/media-files'
import type { AttributesService } from '../attributes/attributes.service.ts'
import type { ConsentService } from '../consent/consent.service.ts'
import type { ListConsent } from '../consent/list-consent.ts'
import type { ContactStore } from '../contact-store.ts'
import type { ContactsRepository } from '../contacts.repository.ts'
import type { TagsRepository } from '../tags/tags.repository.ts'
import { createImportPeople } from './import-people.ts'
import { createImportProgress } from './import-progress.ts'
import { createImportRowsService } from './import-rows.service.ts'
import { createImportWork } from './import-work.ts'
import { createImportsRepository } from './imports.repository.ts'
import { createImportsService, kindOf } from './imports.service.ts'
import { createReadSteps } from './read-step.ts'
import { createUndoStep } from './undo-step.ts'

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly jobs: JobRecords
  readonly cursors: PageCursors
  readonly contacts: ContactsRepository
  readonly tags: TagsRepository
  readonly attributes: AttributesService
  readonly store: ContactStore
  readonly consent: ListConsent & Pick<ConsentService, 'align'>
  readonly queue: (jobs: readonly JobReference[]) => Promise<void>
  readonly wakeEvents: (workspaceId: string) => void
  readonly transaction: RunInTransaction
}

/** Wires imports: what people do with them, and what workers do for them. */
export function createImports({
  mongo,
  jobs,
  cursors,
  contacts,
  tags,
  attributes,
  store,
  consent,
  queue,
  wakeEvents,
  transaction,
}: Dependencies) {
  const imports = createImportsRepository(mongo, cursors)
  const files = createMediaFiles(mongo, 'importFiles')
  const progress = createImportProgress(imports)
  const forSteps = { imports, contacts, store, consent, progress }
  const work = createImportWork({
    imports,
    jobs,
    progress,
    openRows: createReadSteps({ ...forSteps, files, tags, attributes }),
    undoStep: createUndoStep(forSteps),
    wakeEvents,
  })
  return {
    imports: createImportsService({ imports, files, jobs, queue, transaction }),
    importRows: createImportRowsService(imports),
    importPeople: createImportPeople(imports),
    importKinds: Object.fromEntries(Object.values(kindOf).map((kind) => [kind, work])),
  }
}
