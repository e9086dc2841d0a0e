import type { JobQueue } from '@parley/service-kit/queue/load-jobs'
import type { JobOptions } from '../../load-work.ts'
import type { EventConsumer } from '../../platform/work-events.ts'

export default ({ services: { usageWatch, countUsage } }: JobOptions): (JobQueue | EventConsumer)[] => [
  { name: 'usage-watch', perform: usageWatch.perform, due: usageWatch.due },
  { consumer: 'usage', types: ['message.changed'], limit: 500, handle: countUsage },
]
