import { type NotificationSettings, type Settings, settingsApi } from '@parley/contracts/settings'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from '../../ui/toast.ts'
import { call } from './sample.ts'

const settingsKeys = { all: ['settings'] as const }

export const settingsOptions = () =>
  queryOptions({
    queryKey: settingsKeys.all,
    queryFn: ({ signal }) => call(settingsApi.read, { signal }),
    networkMode: 'always',
  })

/** Switches notifications at once; a failure takes the switch back and says so. */
export function useNotificationSettings() {
  const client = useQueryClient()
  const show = (notifications: NotificationSettings) =>
    client.setQueryData<Settings>(settingsKeys.all, (settings) => settings && { ...settings, notifications })
  return useMutation({
    networkMode: 'always',
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
