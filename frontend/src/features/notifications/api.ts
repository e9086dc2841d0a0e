import type { EndpointResponse } from '@parley/contracts/endpoint'
import { type Notification, notificationsApi } from '@parley/contracts/notifications'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { notificationKeys } from '../../lib/query-keys.ts'
import { useChange } from '../../lib/use-change.ts'

export const notificationsOptions = () =>
  queryOptions({
    queryKey: notificationKeys.all,
    queryFn: ({ signal }) => call(notificationsApi.list, { query: {}, signal }),
  })

type Listed = EndpointResponse<typeof notificationsApi.list>

/** Marks one as read, or all; the list shows it at once, and a failure takes back those that it was about. */
export function useMarkRead() {
  const client = useQueryClient()
  const { queryKey } = notificationsOptions()
  const show = (change: (item: Notification) => Notification) =>
    client.setQueryData<Listed>(queryKey, (listed) => {
      if (!listed) return listed
      const items = listed.items.map(change)
      return { ...listed, items, unread: items.filter((item) => !item.readAt).length }
    })
  return useChange({
    again: 'queued',
    scope: notificationKeys.all[0],
    run: (which: Notification | 'all', intent) =>
      call(notificationsApi.markRead, { body: which === 'all' ? { all: true } : { ids: [which.id] }, ...intent }),
    onStart: async (which) => {
      await client.cancelQueries({ queryKey })
      const unread = client.getQueryData<Listed>(queryKey)?.items.filter(({ readAt }) => !readAt) ?? []
      const marked = new Set(unread.filter(({ id }) => which === 'all' || id === which.id).map(({ id }) => id))
      const readAt = new Date().toISOString()
      show((item) => (marked.has(item.id) ? { ...item, readAt } : item))
      return marked
    },
    onError: (_error, _which, marked) => {
      show((item) => (marked?.has(item.id) ? { ...item, readAt: null } : item))
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}
