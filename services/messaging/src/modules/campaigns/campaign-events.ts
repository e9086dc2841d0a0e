import type { Tx } from '@parley/service-kit/data/transaction'
import type { CampaignRecord } from './campaigns.model.ts'

/** Records that a campaign is in another state. */
export const emitCampaignChanged = (
  { workspaceId, id }: Pick<CampaignRecord, 'workspaceId' | 'id'>,
  by: Parameters<Tx['emit']>[0]['by'],
  tx: Pick<Tx, 'emit'>,
): void => tx.emit({ workspaceId, type: 'campaign.changed', by, data: { campaignId: id } })
