import type { JobQueue } from '@parley/service-kit/queue/load-jobs'
import type { JobOptions } from '../../../load-work.ts'

/** Ends the snooze of conversations. */
export default ({ services: { changes } }: JobOptions): JobQueue[] => [
  { name: 'snooze', perform: changes.wake, due: changes.due },
]
