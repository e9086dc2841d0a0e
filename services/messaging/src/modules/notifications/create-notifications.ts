import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { createNotificationsRepository } from './notifications.repository.ts'
import { createNotificationsService } from './notifications.service.ts'
import { createAddNotifications, createRaiseNotifications } from './raise-notifications.ts'

type Reads = Omit<Parameters<typeof createRaiseNotifications>[0], 'notifications'>
type Transaction = Parameters<typeof createNotificationsService>[0]['transaction']

/** Wires the notifications of members. */
export function createNotifications({
  mongo,
  cursors,
  transaction,
  ...reads
}: Reads & { readonly mongo: ServiceConnection; readonly cursors: PageCursors; readonly transaction: Transaction }) {
  const notifications = createNotificationsRepository(mongo, cursors)
  return {
    notifications: createNotificationsService({ notifications, transaction }),
    addNotifications: createAddNotifications(notifications),
    raiseNotifications: createRaiseNotifications({ notifications, ...reads }),
  }
}
