import { type RecipientQuery, recipientsApi } from '@parley/contracts/campaign-recipients'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { campaignKeys } from '../../../lib/query-keys.ts'

/** Rows of a campaign. Read anew each time: they change while it runs. */
export const recipientsOptions = (id: string, query: RecipientQuery) =>
  infiniteQueryOptions({
    queryKey: campaignKeys.recipients(id, query),
    queryFn: ({ pageParam, signal }) =>
      call(recipientsApi.list, {
        params: { id },
        query: { ...query, limit: 50, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  })
