import type { JobOptions } from '../../../load-work.ts'
import type { EventConsumer } from '../../../platform/work-events.ts'

export default ({ services: { indexMessages } }: JobOptions): EventConsumer[] => [
  // A message has up to 60 keys in the index.
  { consumer: 'message-search', types: ['message.changed', 'history.added'], limit: 200, handle: indexMessages },
]
