import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { QueryClient } from '@tanstack/react-query'
import { notificationKeys, userKey } from '../../lib/query-keys.ts'
import { userIdOf } from '../../lib/user.ts'

/** Handles new notifications, and those that this member has read elsewhere; reads of other members change nothing here. */
export function receive(client: QueryClient, event: RecordedEvent): void {
  if (event.type === 'notification.read' && event.data.userId !== userIdOf(client.getQueryData(userKey))) return
  void client.invalidateQueries({ queryKey: notificationKeys.all })
}
