import type { JobQueue } from '@parley/service-kit/queue/load-jobs'
import type { JobOptions } from '../../../load-work.ts'
import { jobsQueue } from '../../../platform/platform.ts'

/** Does what people have started for many contacts or for one: imports, changes, exports, merging, erasure. */
export default ({ services: { jobWork, imports, contactJobs } }: JobOptions): JobQueue[] => [
  {
    ...jobsQueue,
    perform: jobWork.perform,
    due: async () => {
      await imports.sweep()
      await contactJobs.sweepFiles()
      await contactJobs.eraseExpired()
      return jobWork.pending()
    },
    concurrency: 2,
  },
]
