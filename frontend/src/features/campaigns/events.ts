import type { CampaignProgress } from '@parley/contracts/campaigns/campaigns'
import type { QueryClient } from '@tanstack/react-query'
import { campaignKeys, contactKeys, usageKeys } from '../../lib/query-keys.ts'
import { campaignRecords } from './api.ts'

/** A campaign is in another state: what shows campaigns is read again. */
export function receive(client: QueryClient): void {
  const { lists, summary, ones, timelines } = campaignKeys
  for (const queryKey of [lists, summary, ones, timelines, contactKeys.timelines, usageKeys.all])
    void client.invalidateQueries({ queryKey })
}

/** Stores a campaign's progress, received once a second at most. */
export const receiveProgress = (client: QueryClient, { campaignId, counts }: CampaignProgress): void =>
  campaignRecords.amend(client, campaignId, (campaign) => ({ ...campaign, counts }))
