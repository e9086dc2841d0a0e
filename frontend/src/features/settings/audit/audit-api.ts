import { auditApi } from '@parley/contracts/account/audit'
import type { EndpointRequest } from '@parley/contracts/core/endpoint'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { auditKeys } from '../../../lib/query-keys.ts'

type Query = NonNullable<EndpointRequest<typeof auditApi.list>['query']>
export type AuditFilter = Pick<Query, 'actor' | 'target' | 'resource' | 'outcome'>

export const auditOptions = (filter: AuditFilter, enabled: boolean) =>
  infiniteQueryOptions({
    queryKey: auditKeys.list(filter),
    queryFn: ({ pageParam, signal }) =>
      call(auditApi.list, { query: { ...filter, limit: 50, ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled,
    // No event tells of new entries.
    staleTime: 0,
  })

/** Returns the address to download the log from. */
export const auditFile = (format: 'ndjson' | 'csv', filter: AuditFilter): string => {
  const chosen = Object.entries(filter).flatMap(([name, value]) => (value ? [[name, String(value)]] : []))
  return `${auditApi.download.path}?${new URLSearchParams([['format', format], ...chosen] as string[][])}`
}
