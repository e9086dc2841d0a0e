import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { firstIds } from '../audience/first-ids.ts'
import { type LinkClickRecord, linkClickSchema } from '../tracking/link-clicks.model.ts'
import { recipientsIn } from './recipients.model.ts'

/** Rows of campaigns, and the visits of their links, as they are removed. What they were counted to is not touched. */
export function createOldRowsRepository(connection: ServiceConnection) {
  const recipients = recipientsIn(connection)
  const clicks = workspaceCollection<LinkClickRecord>({ connection, name: 'linkClicks', schema: linkClickSchema })

  return {
    /** Deletes rows of a campaign, up to a limit. @returns whether there may be more. */
    removeSome: async (
      scope: WorkspaceScope,
      campaignId: string,
      { limit, session }: { limit: number } & Pick<Tx, 'session'>,
    ): Promise<boolean> => {
      const ids = await firstIds(recipients(scope), campaignId, { limit, session })
      if (ids.length === 0) return false
      await recipients(scope).deleteMany({ _id: { $in: ids } }, { session })
      await clicks(scope).deleteMany({ messageId: { $in: ids } }, { session })
      return ids.length === limit
    },
  }
}
