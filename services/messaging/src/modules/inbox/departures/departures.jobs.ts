import type { JobQueue } from '@parley/service-kit/queue/load-jobs'
import { upkeepIdleMs } from '@parley/service-kit/queue/sweep'
import type { JobOptions } from '../../../load-work.ts'

/** Takes conversations back from members who have left. */
export default ({ services: { departures } }: JobOptions): JobQueue[] => [
  { name: 'departures', perform: departures.perform, due: departures.due, idleMs: upkeepIdleMs },
]
