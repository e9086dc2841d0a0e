import type { Platform } from '../../platform/platform.ts'
import type { Records } from '../../records.ts'
import type { Campaigns } from '../campaigns/module.ts'
import type { Channel } from '../channel/module.ts'
import type { Templates } from '../templates/module.ts'
import { createNotificationSettings } from './notification-settings.ts'
import { createNotificationsService } from './notifications.service.ts'
import { createRaiseNotifications } from './raise-notifications.ts'

/** The notifications of members. */
export function createNotifications(platform: Platform, records: Records, lower: Channel & Templates & Campaigns) {
  const notificationSettings = createNotificationSettings(platform.mongo)
  return {
    notificationSettings,
    notifications: createNotificationsService({ ...platform, ...records, settings: notificationSettings }),
    raiseNotifications: createRaiseNotifications({ ...records, ...lower }),
  }
}
