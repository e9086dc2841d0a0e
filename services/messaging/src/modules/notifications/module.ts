import type { Platform } from '../../platform/platform.ts'
import type { Campaigns } from '../campaigns/module.ts'
import type { Channel } from '../channel/module.ts'
import type { Templates } from '../templates/module.ts'
import { createNotificationsRepository } from './notifications.repository.ts'
import { createNotificationsService } from './notifications.service.ts'
import { createAddNotifications, createRaiseNotifications } from './raise-notifications.ts'

/** The notifications of members. */
export function createNotifications(platform: Platform, lower: Channel & Templates & Campaigns) {
  const notifications = createNotificationsRepository(platform.mongo, platform.cursors)
  return {
    notifications: createNotificationsService({ ...platform, notifications }),
    addNotifications: createAddNotifications(notifications),
    raiseNotifications: createRaiseNotifications({
      notifications,
      readCampaign: lower.readCampaign,
      countsOfCampaign: lower.countsOfCampaign,
      readTemplate: async (scope, id) => (await lower.templates.readMany(scope, [id])).get(id),
      readNumber: lower.numbers.read,
    }),
  }
}
