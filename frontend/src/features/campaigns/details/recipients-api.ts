import { type RecipientQuery, recipientsApi } from '@parley/contracts/campaigns/campaign-recipients'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { campaignKeys } from '../../../lib/query-keys.ts'

/** Rows of a campaign. Read again each time: they change while it runs. */
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

/** Returns the address to download all of the same rows from. */
export function downloadOf(id: string, { outcome, code }: Pick<RecipientQuery, 'outcome' | 'code'>): string {
  const which = { ...(outcome && { outcome }), ...(code !== undefined && { code: String(code) }) }
  const query = new URLSearchParams(which).toString()
  return `${recipientsApi.download.path.replace(':id', id)}${query && `?${query}`}`
}
