import type { JobQueue } from '@parley/service-kit/queue/load-jobs'
import { upkeepIdleMs } from '@parley/service-kit/queue/sweep'
import type { JobOptions } from '../../load-work.ts'
import type { EventConsumer } from '../../platform/work-events.ts'

export default ({ services }: JobOptions): (JobQueue | EventConsumer)[] => {
  const { templateSync, templateAdoption, templateRemoval } = services
  return [
    { name: 'template-sync', perform: templateSync.perform, due: templateSync.due },
    { name: 'template-reads', perform: templateAdoption.perform, due: templateAdoption.due },
    { name: 'template-purge', perform: templateRemoval.purge, due: templateRemoval.due, idleMs: upkeepIdleMs },
    { consumer: 'template-accounts', types: ['number.changed'], limit: 200, handle: templateSync.onNumbersChanged },
  ]
}
