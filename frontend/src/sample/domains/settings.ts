import { settingsApi } from '@parley/contracts/account/settings'
import { answer } from '../answer.ts'

/** Stands in for the service that will own the settings. */
export const answers = [
  answer(settingsApi.read, (_, { settings }) => settings),
  answer(settingsApi.updateNotifications, ({ body }, { settings }) => {
    Object.assign(settings.notifications, body)
    return settings
  }),
]
