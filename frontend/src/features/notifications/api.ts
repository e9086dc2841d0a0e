import { type Notification, notificationsApi } from '@parley/contracts/notifications'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { notificationKeys } from '../../lib/query-keys.ts'

export const notificationsOptions = () =>
  queryOptions({
    queryKey: notificationKeys.all,
    queryFn: ({ signal }) => call(notificationsApi.list, { query: {}, signal }),
  })

/** Marks one as read, or all; the list shows it at once. */
export function useMarkRead() {
  const client = useQueryClient()
  const { queryKey } = notificationsOptions()
  return useMutation({
    mutationFn: (which: Notification | 'all') =>
      call(notificationsApi.markRead, { body: which === 'all' ? { all: true } : { ids: [which.id] } }),
    onMutate: (which) => {
      const before = client.getQueryData(queryKey)
      if (!before) return
      const readAt = new Date().toISOString()
      const items = before.items.map((item) =>
        which === 'all' || item.id === which.id ? { ...item, readAt: item.readAt ?? readAt } : item,
      )
      client.setQueryData(queryKey, { ...before, items, unread: items.filter((item) => !item.readAt).length })
    },
    onError: () => client.invalidateQueries({ queryKey }),
  })
}
