import type { ScopedCollection, WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RecipientRecord } from '../recipients/recipients.model.ts'

/** Groups the rows of a campaign by the addresses of their files. */
const byAddress = (campaignId: string) => [
  { $match: { campaignId, 'file.address': { $gt: '' } } },
  { $group: { _id: '$file.address' } },
]

/** Reads the addresses of files of single recipients, from the keys of their index. */
export const createRecipientAddresses = (recipients: (scope: WorkspaceScope) => ScopedCollection<RecipientRecord>) => ({
  /** Counts the different addresses of files. */
  countFiles: async (scope: WorkspaceScope, campaignId: string): Promise<number> => {
    const steps = [...byAddress(campaignId), { $count: 'count' }]
    const [found] = await recipients(scope).aggregate<{ count: number }>(steps, { hint: 'file' })
    return found?.count ?? 0
  },
  /** Returns some of the different addresses of files. */
  sampleFiles: async (scope: WorkspaceScope, campaignId: string, size: number): Promise<string[]> => {
    const steps = [...byAddress(campaignId), { $sample: { size } }]
    return (await recipients(scope).aggregate<{ _id: string }>(steps, { hint: 'file' })).map(({ _id }) => _id)
  },
})
