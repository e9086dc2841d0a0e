import type { JobOptions } from '../../../load-work.ts'
import type { EventConsumer } from '../../../platform/work-events.ts'

export default ({ services: { ratings } }: JobOptions): EventConsumer[] => [
  {
    consumer: 'ratings',
    types: ['conversation.changed', 'message.changed', 'contact.erased'],
    limit: 200,
    ...ratings.consumer,
  },
]
