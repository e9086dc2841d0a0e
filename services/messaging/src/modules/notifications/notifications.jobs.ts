import type { JobOptions } from '../../load-work.ts'
import type { EventConsumer } from '../../platform/work-events.ts'

export default ({ services: { raiseNotifications } }: JobOptions): EventConsumer[] => [
  {
    consumer: 'notifications',
    types: ['campaign.changed', 'template.changed', 'number.changed', 'conversation.changed'],
    // Every message changes a conversation: only of those that somebody was given there is something to tell.
    concerns: (event) => event.type !== 'conversation.changed' || event.data.became?.owned?.reason === 'assigned',
    limit: 200,
    handle: raiseNotifications,
  },
]
