import type { JobQueue } from '@parley/service-kit/queue/load-jobs'
import type { JobOptions } from '../../load-work.ts'
import type { EventConsumer } from '../../platform/work-events.ts'

export default ({ services: { raiseNotifications, handOvers } }: JobOptions): (JobQueue | EventConsumer)[] => [
  {
    consumer: 'notifications',
    types: ['campaign.changed', 'template.changed', 'number.changed', 'conversation.changed'],
    limit: 200,
    handle: raiseNotifications,
  },
  { name: 'hand-overs', perform: handOvers.perform, due: handOvers.due },
]
