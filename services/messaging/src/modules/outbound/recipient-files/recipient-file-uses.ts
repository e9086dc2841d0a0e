import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { createReleasedNotes } from '../../media/released-notes.ts'
import { createRecipientFilesRepository } from './recipient-files.repository.ts'

/** Finds and forgets files of recipients whose data is erased. */
export function createRecipientFileUses(connection: ServiceConnection) {
  const files = createRecipientFilesRepository(connection)
  const released = createReleasedNotes(connection)
  return {
    hasFile: files.hasFile,
    /** Forgets an address that no recipient of the campaign has any more; the file there is deleted later, unless something has it. */
    forget: async (scope: WorkspaceScope, campaignId: string, address: string): Promise<void> => {
      const record = await files.find(scope, campaignId, address)
      if (!record) return
      if (record.mediaId !== undefined) await released.note(scope, record.mediaId)
      await files.remove(record)
    },
  }
}
