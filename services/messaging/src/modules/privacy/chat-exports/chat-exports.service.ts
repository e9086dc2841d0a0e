import { type contactJobsApi, maxContactJobs } from '@parley/contracts/contacts/contact-job-endpoints'
import type { ContactJob } from '@parley/contracts/contacts/contact-jobs'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import type { JobRecords, JobReference } from '@parley/service-kit/data/job-records'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { Caller } from '../../contacts/contact-store.ts'
import type { ContactsRepository } from '../../contacts/contacts.service.ts'
import { createBeginJob } from '../../contacts/jobs/begin-job.ts'
import { chatExportKind } from '../../contacts/jobs/chat-export-input.ts'
import { toContactJob } from '../../contacts/jobs/to-contact-job.ts'
import type { ConversationsService } from '../../inbox/conversations/conversations.service.ts'

type ExportRequest = EndpointInput<typeof contactJobsApi.exportChat>['body']

interface Dependencies {
  readonly jobs: JobRecords
  readonly conversations: Pick<ConversationsService, 'show'>
  readonly contacts: Pick<ContactsRepository, 'mergedIds'>
  readonly queueJobs: (jobs: readonly JobReference[]) => Promise<void>
  readonly transaction: RunInTransaction
}

/** Exports of conversations as people start and find them; they are stopped and downloaded as those of contacts are. */
export function createChatExportsService({
  jobs,
  conversations,
  contacts,
  queueJobs: queue,
  transaction,
}: Dependencies) {
  const { begin } = createBeginJob({ jobs, queue, transaction })

  /** @throws `not_found` for a conversation of another workspace too. */
  async function start(ctx: Caller, id: string, request: ExportRequest): Promise<ContactJob> {
    const { id: conversationId, contact } = await conversations.show(ctx, id)
    const contactIds = [contact.id, ...(await contacts.mergedIds(ctx, contact.id))]
    // Workers of the version before look for names of members here.
    const input = { ...request, conversationId, contactIds, members: [] }
    return begin(ctx, { kind: chatExportKind, total: 0, input })
  }

  /** @throws as {@link start}. */
  async function list(scope: WorkspaceScope, id: string): Promise<ContactJob[]> {
    const { id: conversationId, contact } = await conversations.show(scope, id)
    const found = await jobs
      .collection(scope)
      .find({ kind: chatExportKind, 'input.conversationId': conversationId })
      .sort({ _id: -1 })
      .limit(maxContactJobs)
      .hint('chat-exports')
    return found.map((job) => toContactJob(job, contact.name))
  }

  return { start, list }
}
