import { type NotificationSettings, type Settings, settingsApi } from '@parley/contracts/account/settings'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { explain } from '../../lib/explain.ts'
import { settingsKeys } from '../../lib/query-keys.ts'
import { useChange } from '../../lib/use-change.ts'
import { toast } from '../../ui/toast.ts'

export const settingsOptions = () =>
  queryOptions({
    queryKey: settingsKeys.all,
    queryFn: ({ signal }) => call(settingsApi.read, { signal }),
  })

/** Switches notifications at once; a failure takes that switch back and says so. The others stay as others set them. */
export function useNotificationSettings() {
  const client = useQueryClient()
  const queryKey = settingsKeys.all
  const show = (change: Partial<NotificationSettings>) =>
    client.setQueryData<Settings>(
      queryKey,
      (settings) => settings && { ...settings, notifications: { ...settings.notifications, ...change } },
    )
  return useChange({
    scope: 'settings/notifications',
    again: 'queued',
    run: (body: Partial<NotificationSettings>, intent) => call(settingsApi.updateNotifications, { body, ...intent }),
    onStart: async (change) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData<Settings>(queryKey)?.notifications
      show(change)
      return before && Object.fromEntries(Object.entries(before).filter(([kind]) => kind in change))
    },
    onError: (error, _change, before) => {
      if (before) show(before)
      toast.error(explain(error, 'The notification setting could not be saved. Try again.'))
    },
  })
}
