import { recipientsApi } from '@parley/contracts/campaigns/campaign-recipients'
import { campaignResultsApi } from '@parley/contracts/campaigns/campaign-results'
import { campaignTimelineApi } from '@parley/contracts/campaigns/campaign-timeline'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { explain } from '../../../lib/explain.ts'
import { campaignKeys } from '../../../lib/query-keys.ts'
import { useChange } from '../../../lib/use-change.ts'
import { toast } from '../../../ui/toast.ts'
import { receiveDraft } from '../drafts-api.ts'

export type Retry = EndpointInput<typeof campaignResultsApi.retry>['body']

/** Begins another campaign for those whom one has missed: a draft. */
export function useRetry(id: string) {
  const client = useQueryClient()
  return useChange({
    run: (body: Retry, intent) => call(campaignResultsApi.retry, { params: { id }, body, ...intent }),
    onSuccess: (draft) => {
      receiveDraft(client, draft)
      void client.invalidateQueries({ queryKey: campaignKeys.timeline(id) })
    },
    onError: (error) => toast.error(explain(error, 'The draft could not be created. Try again.')),
  })
}

/** Query of the reasons why messages of a campaign failed, with the number of each. */
export const failuresOptions = (id: string) =>
  queryOptions({
    queryKey: campaignKeys.failures(id),
    queryFn: async ({ signal }) => {
      const query = { outcome: 'failed', limit: 1 } as const
      return (await call(recipientsApi.list, { params: { id }, query, signal })).failures
    },
    staleTime: 0,
  })

/** Reads the outcome of a contact in a campaign, or why it is not in it. */
export const explanationOptions = (id: string, contactId: string) =>
  queryOptions({
    queryKey: campaignKeys.explanation(id, contactId),
    queryFn: ({ signal }) => call(campaignResultsApi.explain, { params: { id }, body: { contactId }, signal }),
    staleTime: 0,
  })

/** Reads a campaign's events, the latest first. */
export const timelineOptions = (id: string) =>
  infiniteQueryOptions({
    queryKey: campaignKeys.timeline(id),
    queryFn: ({ pageParam, signal }) =>
      call(campaignTimelineApi.read, {
        params: { id },
        query: { limit: 50, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  })
