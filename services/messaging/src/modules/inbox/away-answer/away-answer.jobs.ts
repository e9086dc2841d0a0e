import type { JobOptions } from '../../../load-work.ts'
import type { EventConsumer } from '../../../platform/work-events.ts'

export default ({ services: { awayAnswer } }: JobOptions): EventConsumer[] => [
  { consumer: 'away-answer', types: ['message.changed'], limit: 200, ...awayAnswer },
]
