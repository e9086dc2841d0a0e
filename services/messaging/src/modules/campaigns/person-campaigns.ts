import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { campaignSchema } from './campaigns.model.ts'
import type { AnyRecord } from './drafts/drafts.model.ts'

/** Campaigns and drafts, as an erasure looks through them. */
export function createPersonCampaigns(connection: ServiceConnection) {
  const campaigns = workspaceCollection<AnyRecord>({ connection, name: 'campaigns', schema: campaignSchema })
  return {
    /** Texts that members have typed into each; whom a launched one was sent to stays its own. */
    async *typed(scope: WorkspaceScope): AsyncGenerator<{ id: string; texts: unknown }> {
      for await (const campaign of campaigns(scope)
        .find({ status: { $ne: 'removed' } })
        .hint('latest')) {
        const { id, name, variables, audienceName, status } = campaign
        yield { id, texts: [name, variables, audienceName, status === 'draft' && campaign.audience] }
      }
    },
    named: async (scope: WorkspaceScope, ids: readonly string[]): Promise<{ id: string; name: string }[]> =>
      campaigns(scope).find({ _id: { $in: ids } }),
  }
}
