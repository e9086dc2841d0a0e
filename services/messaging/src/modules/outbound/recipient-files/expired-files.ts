import type { Clock } from '@parley/service-kit/core/clock'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { MessagesRepository } from '../../inbox/messages/messages.service.ts'
import type { RecipientFilesRepository } from './recipient-files.repository.ts'

/** Days after the end of a campaign: questions about a document come in the first ones, and documents are large. */
const keptDays = 7

/** Deletes files of recipients once their campaign has long ended, and those that an erased person alone was to get. */
export function createExpiredFiles({
  recipientFiles,
  messageRecords,
  releasedFiles,
  now = () => new Date(),
}: {
  recipientFiles: Pick<RecipientFilesRepository, 'expired' | 'keepUntil' | 'remove'>
  messageRecords: Pick<MessagesRepository, 'forgetFile'>
  /** Has a file deleted later, unless something else has it too. */
  releasedFiles: { readonly note: (scope: WorkspaceScope, mediaId: string) => Promise<void> }
  now?: Clock
}) {
  return {
    /** Notes that a campaign has ended; again is the same. */
    endWith: ({ id, workspaceId }: WorkspaceScope & { readonly id: string }, endedAt: Date) =>
      recipientFiles.keepUntil({ workspaceId }, id, new Date(endedAt.getTime() + keptDays * 86_400_000)),
    /** To be called now and then. */
    sweep: async (): Promise<void> => {
      for (const file of await recipientFiles.expired(now())) {
        const { campaignId, mediaId } = file
        if (mediaId !== undefined) {
          await messageRecords.forgetFile(file, campaignId, mediaId)
          await releasedFiles.note(file, mediaId)
        }
        await recipientFiles.remove(file)
      }
    },
  }
}
