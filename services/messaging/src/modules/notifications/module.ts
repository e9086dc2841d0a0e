import type { Platform } from '../../platform/platform.ts'
import type { Records } from '../../records.ts'
import type { Campaigns } from '../campaigns/module.ts'
import type { Channel } from '../channel/module.ts'
import type { Inbox } from '../inbox/module.ts'
import type { Templates } from '../templates/module.ts'
import { createHandOvers } from './hand-overs.ts'
import { createNotificationSettings } from './notification-settings.ts'
import { createNotificationsService } from './notifications.service.ts'
import { createRaiseNotifications } from './raise-notifications.ts'

/** The notifications of members. */
export function createNotifications(
  platform: Platform,
  records: Records,
  lower: Channel & Inbox & Templates & Campaigns,
) {
  const handOvers = createHandOvers({ ...platform, ...records, ...lower })
  const notificationSettings = createNotificationSettings(platform.mongo)
  return {
    notificationSettings,
    notifications: createNotificationsService({ ...platform, ...records, settings: notificationSettings }),
    raiseNotifications: createRaiseNotifications({ ...records, ...lower, handOvers }),
    handOvers,
  }
}
