import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Platform } from '../../platform/platform.ts'
import type { Campaigns } from '../campaigns/module.ts'
import type { Channel } from '../channel/module.ts'
import type { Templates } from '../templates/module.ts'
import { ofBotFailure } from './bot-notifications.ts'
import { createNotificationSettings } from './notification-settings.ts'
import { createNotificationsRepository } from './notifications.repository.ts'
import { createNotificationsService } from './notifications.service.ts'
import { createAddNotifications, createRaiseNotifications } from './raise-notifications.ts'

export type Notifications = ReturnType<typeof createNotifications>

/** The notifications of members. */
export function createNotifications(platform: Platform, lower: Channel & Templates & Campaigns) {
  const notifications = createNotificationsRepository(platform.mongo, platform.cursors)
  const addNotifications = createAddNotifications(notifications)
  const notificationSettings = createNotificationSettings(platform.mongo)
  return {
    tellBotFailure: (scope: WorkspaceScope, failure: Parameters<typeof ofBotFailure>[0]) =>
      platform.transaction((tx) => addNotifications(scope, [ofBotFailure(failure)], tx)),
    notificationSettings,
    notifications: createNotificationsService({ ...platform, notifications, settings: notificationSettings }),
    addNotifications,
    raiseNotifications: createRaiseNotifications({
      notifications,
      readCampaign: lower.readCampaign,
      countsOfCampaign: lower.countsOfCampaign,
      readTemplate: async (scope, id) => (await lower.templates.readMany(scope, [id])).get(id),
      readNumber: lower.numbers.read,
    }),
  }
}
