import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type NotificationRecord, notificationRecordSchema } from './notifications.model.ts'

/** Creates the removal of what was told of conversations that are erased: names and words of their customer. */
export function createForgetNotifications(connection: ServiceConnection) {
  const notifications = workspaceCollection<NotificationRecord>({
    connection,
    name: 'notifications',
    schema: notificationRecordSchema,
  })
  return (scope: WorkspaceScope, conversationIds: readonly string[]) =>
    notifications(scope).deleteMany({ 'object.kind': 'conversation', 'object.id': { $in: [...conversationIds] } })
}
