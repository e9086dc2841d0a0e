import { conversationsApi } from '@parley/contracts/conversations'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { conversationKeys } from '../../lib/query-keys.ts'

/** Counters of the inbox; apart from its other reads, for the frame of every screen shows one. */
export const inboxSummaryOptions = () =>
  queryOptions({
    queryKey: conversationKeys.summary,
    queryFn: ({ signal }) => call(conversationsApi.summary, { signal }),
  })
