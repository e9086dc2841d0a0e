import type { ScopedCollection, WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RecipientRecord } from '../recipients/recipients.model.ts'

/** Reads the addresses of files of single recipients, from the keys of their index. */
export const createRecipientAddresses = (recipients: (scope: WorkspaceScope) => ScopedCollection<RecipientRecord>) => ({
  /** Counts the different addresses of files. */
  countFiles: async (scope: WorkspaceScope, campaignId: string): Promise<number> => {
    const [found] = await recipients(scope).aggregate<{ count: number }>(
      [
        { $match: { campaignId, 'file.address': { $gt: '' } } },
        { $group: { _id: '$file.address' } },
        { $count: 'count' },
      ],
      { hint: 'file' },
    )
    return found?.count ?? 0
  },
  /** Returns some of the different addresses of files. */
  sampleFiles: async (scope: WorkspaceScope, campaignId: string, size: number): Promise<string[]> => {
    const found = await recipients(scope).aggregate<{ address: string }>(
      [
        { $match: { campaignId, 'file.address': { $gt: '' } } },
        { $group: { _id: '$file.address' } },
        { $sample: { size } },
        { $project: { _id: 0, address: '$_id' } },
      ],
      { hint: 'file' },
    )
    return found.map(({ address }) => address)
  },
})
