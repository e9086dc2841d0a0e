import type { Base } from '../../records.ts'
import type { Campaigns } from '../campaigns/module.ts'
import type { Channel } from '../channel/module.ts'
import type { Inbox } from '../inbox/module.ts'
import type { Templates } from '../templates/module.ts'
import { createHandOvers } from './hand-overs.ts'
import { createNotificationSettings } from './notification-settings.ts'
import { createNotificationsService } from './notifications.service.ts'
import { createRaiseNotifications } from './raise-notifications.ts'

/** The notifications of members. */
export function createNotifications(lower: Base & Channel & Inbox & Templates & Campaigns) {
  const handOvers = createHandOvers(lower)
  const notificationSettings = createNotificationSettings(lower.mongo)
  return {
    notificationSettings,
    notifications: createNotificationsService({ ...lower, settings: notificationSettings }),
    raiseNotifications: createRaiseNotifications({ ...lower, handOvers }),
    handOvers,
  }
}
