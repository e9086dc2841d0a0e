import { inboxSummaryApi } from '@parley/contracts/inbox/inbox-summary'
import { queryOptions } from '@tanstack/react-query'
import { call } from './api.ts'
import { conversationKeys } from './query-keys.ts'

/** Counters of the inbox; apart from its other reads, for the frame of every screen shows one. */
export const inboxSummaryOptions = () =>
  queryOptions({
    queryKey: conversationKeys.summary,
    queryFn: ({ signal }) => call(inboxSummaryApi.read, { signal }),
  })
