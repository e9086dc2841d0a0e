import {
  type Audience,
  type Campaign,
  type CampaignAction,
  type CampaignQuery,
  campaignsApi,
  type NewCampaign,
} from '@parley/contracts/campaigns'
import type { PageOf } from '@parley/contracts/records'
import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '../../lib/api.ts'
import { campaignKeys, templateKeys } from '../../lib/query-keys.ts'
import { toast } from '../../ui/toast.ts'

export const campaignListOptions = (query: CampaignQuery) =>
  queryOptions({
    queryKey: campaignKeys.list(query),
    queryFn: ({ signal }) => call(campaignsApi.list, { query, signal }),
    placeholderData: keepPreviousData,
  })

export const campaignSummaryOptions = () =>
  queryOptions({
    queryKey: campaignKeys.summary,
    queryFn: ({ signal }) => call(campaignsApi.summary, { signal }),
  })

export const campaignOptions = (id: string) =>
  queryOptions({
    queryKey: campaignKeys.one(id),
    queryFn: ({ signal }) => call(campaignsApi.read, { params: { id }, signal }),
  })

/** How many contacts an audience reaches. Counted anew each time: contacts change elsewhere. */
export const audienceOptions = (audience: Audience | undefined) =>
  queryOptions({
    queryKey: campaignKeys.audience(audience),
    queryFn: ({ signal }) => {
      if (!audience) throw new RangeError('There is no audience to count.')
      return call(campaignsApi.preview, { body: { audience }, signal })
    },
    enabled: audience !== undefined,
    staleTime: 0,
  })

/** What went wrong with a change, in words for a person. */
export const problemText = (error: unknown, fallback: string): string =>
  (error instanceof ApiError && error.body.message) || fallback

export function useCreateCampaign() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewCampaign) => call(campaignsApi.create, { body }),
    onSuccess: (campaign) => {
      client.setQueryData(campaignKeys.one(campaign.id), campaign)
      // A template's card says how many campaigns use it.
      return Promise.all([
        client.invalidateQueries({ queryKey: campaignKeys.all }),
        client.invalidateQueries({ queryKey: templateKeys.all }),
      ])
    },
  })
}

const statusAfter = { pause: 'paused', resume: 'active', cancel: 'cancelled' } as const

/** Pauses, resumes or cancels at once; the status comes back if the server refuses. */
export function useChangeCampaign() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, action }: { id: string; action: CampaignAction }) =>
      call(campaignsApi.change, { params: { id }, body: { action } }),
    onMutate: async ({ id, action }) => {
      await client.cancelQueries({ queryKey: campaignKeys.all })
      const before = client.getQueriesData({ queryKey: campaignKeys.all })
      put(client, id, (campaign) => ({ ...campaign, status: statusAfter[action] }))
      return { before }
    },
    onError: (error, _, context) => {
      for (const [key, data] of context?.before ?? []) client.setQueryData(key, data)
      toast.error(problemText(error, 'The campaign could not be changed. Try again.'))
    },
    onSuccess: (campaign) => put(client, campaign.id, () => campaign),
    onSettled: () => client.invalidateQueries({ queryKey: campaignKeys.all }),
  })
}

function put(client: QueryClient, id: string, update: (campaign: Campaign) => Campaign): void {
  client.setQueryData<Campaign>(campaignKeys.one(id), (campaign) => campaign && update(campaign))
  client.setQueriesData<PageOf<Campaign>>(
    { queryKey: campaignKeys.lists },
    (list) => list && { ...list, items: list.items.map((item) => (item.id === id ? update(item) : item)) },
  )
}
