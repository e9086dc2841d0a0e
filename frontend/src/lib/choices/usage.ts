import { usageApi } from '@parley/contracts/usage/usage'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../api.ts'
import { usageKeys } from '../query-keys.ts'

/**
 * Reads the plan's limits and their usage, in the period that includes a moment, the current one if absent; read again each time,
 * as campaigns use them.
 */
export const usageOptions = (at?: Date) => {
  const query = at ? { at: at.toISOString() } : {}
  return queryOptions({
    queryKey: usageKeys.read(query),
    queryFn: ({ signal }) => call(usageApi.read, { query, signal }),
    staleTime: 0,
  })
}
