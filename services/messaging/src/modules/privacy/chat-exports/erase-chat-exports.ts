import type { JobRecords } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { createMediaFiles } from '@parley/service-kit/media/media-files'
import type { Person } from '../../../platform/person.ts'
import { chatExportKind, chatInputSchema, chatResultSchema } from '../../contacts/jobs/chat-export-input.ts'

const erased = { problem: 'The contact was erased.' }

/** Deletes the exports of a person's conversations, and stops those that are being written. */
export function createEraseChatExports(connection: ServiceConnection, jobs: JobRecords) {
  const files = createMediaFiles(connection, 'exportFiles')

  return async (
    scope: WorkspaceScope,
    { contactId, conversationIds }: Pick<Person, 'contactId' | 'conversationIds'>,
  ): Promise<void> => {
    const records = jobs.collection(scope)
    for await (const { id, input } of records.find({ kind: chatExportKind }).hint('kind')) {
      const { data: of } = chatInputSchema.safeParse(input)
      // An unreadable input may be about anyone.
      const isOwn = !of || conversationIds.includes(of.conversationId) || of.contactIds.includes(contactId)
      if (isOwn)
        await records.updateOne(
          { _id: id, leaseEndsAt: { $exists: true } },
          { $set: { state: 'failed', result: erased }, $unset: { leaseOwner: 1, leaseEndsAt: 1 } },
        )
      // It may have ended by then.
      const written = chatResultSchema.safeParse((await records.findOne({ _id: id }))?.result).data
      if (!written || !(isOwn || written.contactIds.includes(contactId))) continue
      await files.remove(scope, written.fileId)
      await records.updateOne({ _id: id }, { $set: { result: erased } })
    }
  }
}
