import type { EndpointResponse } from '@parley/contracts/core/endpoint'
import { type Notification, notificationsApi } from '@parley/contracts/platform/notifications'
import { type InfiniteData, infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { notificationKeys } from '../../lib/query-keys.ts'
import { useChange } from '../../lib/use-change.ts'

type Page = EndpointResponse<typeof notificationsApi.list>
type Listed = InfiniteData<Page>

const firstPage: string | undefined = undefined

/** Pages lead back in time; each says how many are unread in all. */
export const notificationsOptions = () =>
  infiniteQueryOptions({
    queryKey: notificationKeys.all,
    queryFn: ({ pageParam, signal }) => call(notificationsApi.list, { query: { cursor: pageParam }, signal }),
    initialPageParam: firstPage,
    getNextPageParam: ({ nextCursor }: Page): string | undefined => nextCursor ?? undefined,
  })

/** Returns the unread count, including pages not requested yet. */
export const unreadIn = (listed: Listed | undefined): number => listed?.pages[0]?.unread ?? 0

const itemsOf = (listed: Listed | undefined): Notification[] => listed?.pages.flatMap(({ items }) => items) ?? []

/** Marks one as read, or all; the list shows it at once, and a failure takes back those that it was about. */
export function useMarkRead() {
  const client = useQueryClient()
  const { queryKey } = notificationsOptions()
  /** @param unread how the number of unread ones changes. */
  const show = (change: (item: Notification) => Notification, unread: (before: number) => number) =>
    client.setQueryData(queryKey, (listed: Listed | undefined) =>
      listed
        ? {
            ...listed,
            pages: listed.pages.map((page) => ({
              ...page,
              items: page.items.map(change),
              unread: unread(page.unread),
            })),
          }
        : listed,
    )
  return useChange({
    again: 'queued',
    scope: notificationKeys.all[0],
    run: (which: Notification | 'all', intent) =>
      call(notificationsApi.markRead, { body: which === 'all' ? { all: true } : { ids: [which.id] }, ...intent }),
    onStart: async (which) => {
      await client.cancelQueries({ queryKey })
      const listed = client.getQueryData(queryKey)
      const marked = new Set(
        itemsOf(listed)
          .filter(({ id, readAt }) => !readAt && (which === 'all' || id === which.id))
          .map(({ id }) => id),
      )
      const count = which === 'all' ? unreadIn(listed) : marked.size
      const readAt = new Date().toISOString()
      show(
        (item) => (marked.has(item.id) ? { ...item, readAt } : item),
        (before) => Math.max(0, before - count),
      )
      return { marked, count }
    },
    onError: (_error, _which, shown) => {
      show(
        (item) => (shown?.marked.has(item.id) ? { ...item, readAt: null } : item),
        (before) => before + (shown?.count ?? 0),
      )
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}
