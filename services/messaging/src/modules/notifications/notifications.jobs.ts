import type { RecordedEvent } from '@parley/contracts/platform/events'
import type { JobOptions } from '../../load-work.ts'
import type { EventConsumer } from '../../platform/work-events.ts'

export default ({ services: { raiseNotifications } }: JobOptions): EventConsumer[] => [
  {
    consumer: 'notifications',
    types: ['campaign.changed', 'template.changed', 'number.changed', 'conversation.changed'],
    // Every message changes a conversation: only of those that somebody was given there is something to tell.
    concerns: (event) => event.type !== 'conversation.changed' || isAssigned(event.data),
    limit: 200,
    handle: raiseNotifications,
  },
]

/** Returns whether a conversation was given to somebody. */
const isAssigned = (data: RecordedEvent['data']): boolean =>
  'became' in data &&
  typeof data.became === 'object' &&
  'owned' in data.became &&
  data.became.owned?.reason === 'assigned'
