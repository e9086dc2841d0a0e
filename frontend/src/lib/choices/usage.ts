import { usageApi } from '@parley/contracts/usage/usage'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { usageKeys } from '../query-keys.ts'

/** What the plan allows and what is used of it, in the period that has a moment, the one that runs if absent; read anew each time, for campaigns use them. */
export const usageOptions = (at?: Date) => {
  const query = at ? { at: at.toISOString() } : {}
  return queryOptions({
    queryKey: usageKeys.read(query),
    queryFn: ({ signal }) => call(usageApi.read, { query, signal }),
    staleTime: 0,
  })
}
