import { campaignsApi } from '@parley/contracts/campaigns/campaigns'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { choiceKeys } from '../query-keys.ts'
import { choiceLimit, choiceStaleMs } from './stale.ts'

/** Campaigns of the workspace that are looked for by their name, the newest first. */
export const campaignChoices = () =>
  queryOptions({
    queryKey: choiceKeys.campaigns,
    queryFn: async ({ signal }) =>
      (await call(campaignsApi.list, { query: { status: undefined, limit: choiceLimit }, signal })).items,
    staleTime: choiceStaleMs,
  })
