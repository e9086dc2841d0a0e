import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { QueryClient } from '@tanstack/react-query'
import { notificationKeys, userKey } from '../../lib/query-keys.ts'
import { userIdOf } from '../../lib/user.ts'

/** Something new, or this member has read some of it elsewhere; what other members read changes nothing here. */
export function receive(client: QueryClient, event: RecordedEvent): void {
  if (event.type === 'notification.read' && event.data.userId !== userIdOf(client.getQueryData(userKey))) return
  void client.invalidateQueries({ queryKey: notificationKeys.all })
}
