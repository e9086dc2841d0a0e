import type { JobOptions } from '../../load-work.ts'
import type { EventConsumer } from '../../platform/work-events.ts'

export default ({ services: { raiseNotifications } }: JobOptions): EventConsumer[] => [
  {
    consumer: 'notifications',
    types: ['campaign.changed', 'template.changed', 'number.changed', 'conversation.changed'],
    limit: 200,
    handle: raiseNotifications,
  },
]
