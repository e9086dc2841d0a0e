import { contactTimelineApi, type TimelinePage } from '@parley/contracts/contacts/contact-timeline'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { contactKeys } from '../../../lib/query-keys.ts'

/** Reads a contact's events; pages lead back in time. */
export const timelineOptions = (contactId: string) =>
  infiniteQueryOptions({
    queryKey: contactKeys.timeline(contactId),
    queryFn: ({ pageParam, signal }) =>
      call(contactTimelineApi.read, {
        params: { id: contactId },
        query: { ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }: TimelinePage) => nextCursor,
  })
