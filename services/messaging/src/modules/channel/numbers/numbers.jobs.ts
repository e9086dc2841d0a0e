import type { JobQueue } from '@parley/service-kit/queue/load-jobs'
import type { JobOptions } from '../../../load-work.ts'

export default ({ services: { numberHealth } }: JobOptions): JobQueue[] => [
  { name: 'number-health', perform: numberHealth.check, due: numberHealth.due },
]
