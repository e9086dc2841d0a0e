import type { JobQueue } from '@parley/service-kit/queue/load-jobs'
import type { JobOptions } from '../../../load-work.ts'
import type { EventConsumer } from '../../../platform/work-events.ts'

export default ({ services: { assignment } }: JobOptions): (JobQueue | EventConsumer)[] => [
  {
    consumer: 'assignment',
    types: ['conversation.changed', 'availability.changed'],
    limit: 200,
    handle: assignment.assign,
  },
  // Members take turns: two at once would run into each other.
  { name: 'assignment-due', perform: assignment.assignDue, due: assignment.due, concurrency: 1 },
  { name: 'assignment-queue', perform: assignment.giveQueued, due: assignment.dueQueues, keepsWakes: true },
]
