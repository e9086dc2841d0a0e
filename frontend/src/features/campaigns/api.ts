import { campaignTextApi } from '@parley/contracts/campaign-text'
import { type Campaign, type CampaignQuery, campaignsApi, type NewCampaign } from '@parley/contracts/campaigns'
import type { EndpointInput } from '@parley/contracts/endpoint'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { campaignKeys, templateKeys } from '../../lib/query-keys.ts'
import { createRecords } from '../../lib/records.ts'
import { useChange } from '../../lib/use-change.ts'
import { useRecordChange } from '../../lib/use-record-change.ts'

/** Campaigns in the query cache: answers, changes under way and events meet here. */
export const campaignRecords = createRecords<Campaign>(campaignKeys)

export const campaignListOptions = (query: CampaignQuery) =>
  queryOptions({
    queryKey: campaignKeys.list(query),
    queryFn: async ({ signal, client }) =>
      campaignRecords.readPage(client, await call(campaignsApi.list, { query, signal })),
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
    queryFn: async ({ signal, client }) => {
      const campaign = await call(campaignsApi.read, { params: { id }, signal })
      return campaignRecords.read(client, campaign) ?? campaign
    },
  })

/** Whom a campaign would be for, and what decides who of them is left out. */
export type AudienceQuestion = EndpointInput<typeof campaignsApi.preview>['body']

/** How many contacts an audience reaches. Counted anew each time: contacts change elsewhere. */
export const audienceOptions = (question: AudienceQuestion | undefined) =>
  queryOptions({
    queryKey: campaignKeys.audience(question),
    queryFn: ({ signal }) => {
      if (!question) throw new RangeError('There is no audience to count.')
      return call(campaignsApi.preview, { body: question, signal })
    },
    enabled: question !== undefined,
    staleTime: 0,
  })

/** What a campaign sends, and what its template says by now; read anew each time, as templates change elsewhere. */
export const campaignTextOptions = ({ id, version }: Pick<Campaign, 'id' | 'version'>) =>
  queryOptions({
    queryKey: campaignKeys.text(id, version),
    queryFn: ({ signal }) => call(campaignTextApi.read, { params: { id }, signal }),
    staleTime: 0,
  })

export type CostQuestion = EndpointInput<typeof campaignsApi.cost>['body']

/** What WhatsApp would charge; computed anew each time, as audiences are counted. */
export const costOptions = (question: CostQuestion) =>
  queryOptions({
    queryKey: campaignKeys.cost(question),
    queryFn: ({ signal }) => call(campaignsApi.cost, { body: question, signal }),
    staleTime: 0,
  })

export function useCreateCampaign() {
  const client = useQueryClient()
  return useChange({
    run: (body: NewCampaign, intent) => call(campaignsApi.create, { body, ...intent }),
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

/** What is done with a campaign; resumed with a new text, the one that the person has seen. */
type Change = EndpointInput<typeof campaignsApi.change>['body']

/** Pauses, resumes or cancels at once; the status comes back if the server refuses. */
export const useChangeCampaign = (id: string) =>
  useRecordChange<Campaign, Change>({
    records: campaignRecords,
    id,
    patch:
      ({ action }) =>
      (campaign) => ({ ...campaign, status: statusAfter[action] }),
    run: (body, intent) => call(campaignsApi.change, { params: { id }, body, ...intent }),
    answered: (campaign) => campaign,
    failed: 'The campaign could not be changed. Try again.',
    // What it could not be resumed for may stand on it now.
    invalidates: [campaignKeys.lists, campaignKeys.summary, campaignKeys.one(id)],
  })
