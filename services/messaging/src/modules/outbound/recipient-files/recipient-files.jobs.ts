import type { JobQueue } from '@parley/service-kit/queue/load-jobs'
import type { JobOptions } from '../../../load-work.ts'

/** Fetches and uploads files of single recipients, a few campaigns at a time. */
export default ({ services: { recipientFileWork } }: JobOptions): JobQueue[] => [
  {
    name: 'recipient-files',
    perform: recipientFileWork.perform,
    due: recipientFileWork.due,
    // A job waits for hosts most of its time.
    concurrency: 16,
    sweepMs: 1000,
  },
]
