import type { Tx } from '@parley/service-kit/data/transaction'
import type { CampaignRecord } from './campaigns.model.ts'

type CampaignStatus = CampaignRecord['status'] | 'draft'

/** A campaign, and its status before where it may be another now. */
type Changed = Pick<CampaignRecord, 'workspaceId' | 'id'> & {
  readonly status?: CampaignStatus
  readonly before?: CampaignStatus | undefined
}

/** Records that a campaign has changed. */
export const emitCampaignChanged = (
  { workspaceId, id, status, before }: Changed,
  by: Parameters<Tx['emit']>[0]['by'],
  tx: Pick<Tx, 'emit'>,
): void => {
  const became = before && status && before !== status ? { before, after: status } : undefined
  tx.emit({ workspaceId, type: 'campaign.changed', by, data: { campaignId: id, ...(became && { became }) } })
}
