import { type NotificationSettings, type Settings, settingsApi } from '@parley/contracts/settings'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { settingsKeys } from '../../lib/query-keys.ts'
import { toast } from '../../ui/toast.ts'

export const settingsOptions = () =>
  queryOptions({
    queryKey: settingsKeys.all,
    queryFn: ({ signal }) => call(settingsApi.read, { signal }),
  })

/** Switches notifications at once; a failure takes the switch back and says so. */
export function useNotificationSettings() {
  const client = useQueryClient()
  const show = (notifications: NotificationSettings) =>
    client.setQueryData<Settings>(settingsKeys.all, (settings) => settings && { ...settings, notifications })
  return useMutation({
    // One after the other, so that the last switch wins.
    scope: { id: 'notifications' },
    mutationFn: (body: NotificationSettings) => call(settingsApi.updateNotifications, { body }),
    onMutate: (next) => {
      const before = client.getQueryData<Settings>(settingsKeys.all)?.notifications
      show(next)
      return { before }
    },
    onError: (_error, _next, context) => {
      if (context?.before) show(context.before)
      toast.error('The notification setting could not be saved. Try again.')
    },
  })
}
