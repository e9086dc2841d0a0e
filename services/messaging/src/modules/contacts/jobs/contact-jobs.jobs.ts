import type { JobQueue } from '@parley/service-kit/queue/load-jobs'
import type { JobOptions } from '../../../load-work.ts'
import { jobsQueue } from '../../../platform/platform.ts'

/** Does what people have started for many contacts, for one or for all: imports, changes, exports, merging, erasure. */
export default ({ services: { jobWork, imports, contactJobs, workspaceExports } }: JobOptions): JobQueue[] => [
  {
    ...jobsQueue,
    perform: jobWork.perform,
    due: async () => jobWork.pending(),
    pendingSince: async () => ({ jobs: await jobWork.oldestPendingAt() }),
    upkeep: async () => {
      await imports.sweep()
      await contactJobs.sweepFiles()
      await workspaceExports.sweep()
      await contactJobs.eraseExpired()
    },
    concurrency: 2,
  },
]
