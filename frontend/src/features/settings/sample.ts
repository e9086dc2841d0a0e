import { settingsApi } from '@parley/contracts/settings'
import { answer, sampleCall } from '../../lib/sample/sample-call.ts'

/** Stands in for the service that will own the settings. */
export const call = sampleCall([
  answer(settingsApi.read, (_, { settings }) => settings),
  answer(settingsApi.updateNotifications, ({ body }, { settings }) => {
    Object.assign(settings.notifications, body)
    return settings
  }),
])
