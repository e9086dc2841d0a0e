import { campaignTextApi } from '@parley/contracts/campaigns/campaign-text'
import {
  type AnyCampaign,
  type Campaign,
  type CampaignQuery,
  campaignMoves,
  campaignsApi,
} from '@parley/contracts/campaigns/campaigns'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { momentOf, type WallTime } from '@parley/contracts/core/zoned-time'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { campaignKeys } from '../../lib/query-keys.ts'
import { createRecords } from '../../lib/records.ts'
import { useRecordChange } from '../../lib/use-record-change.ts'

/** Campaigns and drafts in the query cache: answers, changes under way and events meet here. */
export const campaignRecords = createRecords<AnyCampaign>(campaignKeys)

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

/** Audience of a campaign, and the rules that leave some of its contacts out. */
export type AudienceQuestion = EndpointInput<typeof campaignsApi.preview>['body']

/** Counts the contacts that an audience reaches. Counted again each time: contacts change elsewhere. */
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

/** Reads what a campaign sends and the current text of its template; read again each time, as templates change elsewhere. */
export const campaignTextOptions = ({ id, version }: Pick<Campaign, 'id' | 'version'>) =>
  queryOptions({
    queryKey: campaignKeys.text(id, version),
    queryFn: ({ signal }) => call(campaignTextApi.read, { params: { id }, signal }),
    staleTime: 0,
  })

/** Change to a campaign; one resumed with a new text names the text that the person has seen. */
type Change = Omit<EndpointInput<typeof campaignsApi.change>['body'], 'schedule'> & {
  /** Time for `reschedule`, with the zone of its clock. */
  readonly schedule?: WallTime & { readonly timeZone: string }
}

function changed(campaign: Campaign, { action, schedule }: Change): Campaign {
  const { pausedFor: _, pauseDetail: __, ...rest } = campaign
  const at = schedule && momentOf(schedule, schedule.timeZone)
  return { ...rest, status: campaignMoves[action].to, ...(at && { scheduledFor: at.toISOString() }) }
}

/** Changes a campaign's status at once; it comes back if the server refuses. */
export const useChangeCampaign = (id: string) =>
  useRecordChange<AnyCampaign, Change, Campaign>({
    records: campaignRecords,
    id,
    patch: (change) => (campaign) => (campaign.status === 'draft' ? campaign : changed(campaign, change)),
    run: ({ schedule, ...body }, intent) =>
      call(campaignsApi.change, {
        params: { id },
        body: { ...body, ...(schedule && { schedule: { date: schedule.date, time: schedule.time } }) },
        ...intent,
      }),
    answered: (campaign) => campaign,
    failed: 'The campaign could not be changed. Try again.',
    // The reason why it could not be resumed may be stored on it now.
    invalidates: [campaignKeys.lists, campaignKeys.summary, campaignKeys.one(id)],
  })
