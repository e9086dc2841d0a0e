import type { Update } from '@parley/service-kit/data/collection-types'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { CampaignRecord } from './campaigns.model.ts'
import type { CampaignsRepository, Seen } from './campaigns.repository.ts'

export type ChangeAtEnd = ReturnType<typeof createChangeAtEnd>

/**
 * What workers write for a campaign, with the change to its record as the last write: until then a person's change to the same
 * record finds no conflict. Where somebody was faster, person or worker, nothing of the work is stored.
 */
export function createChangeAtEnd({
  campaigns,
  transaction,
}: {
  campaigns: Pick<CampaignsRepository, 'change' | 'isStill'>
  transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}) {
  /** @returns the campaign as it is then, and what the work has returned; null where it is not as it was seen. */
  return async function changeAtEnd<T>(
    { id, workspaceId }: Pick<CampaignRecord, 'id' | 'workspaceId'>,
    { seen, update }: { seen: Seen; update: Update<CampaignRecord> | ((result: T) => Update<CampaignRecord>) },
    work: (tx: Tx) => Promise<T>,
  ): Promise<{ campaign: CampaignRecord; result: T } | null> {
    const scope = { workspaceId }
    try {
      return await transaction(async (tx) => {
        const result = await work(tx)
        const change = typeof update === 'function' ? update(result) : update
        const campaign = await campaigns.change(scope, id, { seen, update: change }, tx)
        if (!campaign) throw new Overtaken()
        return { campaign, result }
      })
    } catch (error) {
      if (error instanceof Overtaken) return null
      // Another worker has stored the same. If nobody has moved the campaign on, the rows contradict it.
      if (isDuplicateKey(error) && !(await campaigns.isStill(scope, id, seen))) return null
      throw error
    }
  }
}

/** Ends the transaction with nothing stored. */
class Overtaken extends Error {}
