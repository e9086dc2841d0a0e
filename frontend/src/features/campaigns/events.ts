import type { CampaignProgress } from '@parley/contracts/campaigns'
import type { QueryClient } from '@tanstack/react-query'
import { campaignKeys, contactKeys } from '../../lib/query-keys.ts'
import { campaignRecords } from './api.ts'

/** A campaign is in another state: what shows campaigns is read again. */
export function receive(client: QueryClient): void {
  for (const queryKey of [campaignKeys.lists, campaignKeys.summary, campaignKeys.ones, contactKeys.timelines])
    void client.invalidateQueries({ queryKey })
}

/** How far a campaign has come, once in a second at most. */
export const receiveProgress = (client: QueryClient, { campaignId, counts }: CampaignProgress): void =>
  campaignRecords.amend(client, campaignId, (campaign) => ({ ...campaign, counts }))
