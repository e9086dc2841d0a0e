import type { Notification } from '@parley/contracts/platform/notifications'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { sampleRecords } from '../../platform/sample-records.ts'
import { type NotificationRecord, notificationRecordSchema } from './notifications.model.ts'

/** Notifications of the sample data. */
export function createSampleNotifications(connection: ServiceConnection) {
  const records = sampleRecords(
    workspaceCollection<NotificationRecord>({ connection, name: 'notifications', schema: notificationRecordSchema }),
  )
  return {
    insert: (scope: WorkspaceScope, sample: readonly Notification[]) => records.insert(scope, sample.map(recordOf)),
    remove: records.remove,
  }
}

const recordOf = ({ id: _id, at, readAt, ...notification }: Notification) => ({
  ...notification,
  _id,
  key: `sample/${_id}`,
  at: new Date(at),
  readBy: [],
  ...(readAt !== null && { readByAll: new Date(readAt) }),
  sample: true as const,
})
