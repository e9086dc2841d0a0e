import type { JobQueue } from '@parley/service-kit/queue/load-jobs'
import type { JobOptions } from '../../../load-work.ts'

/** Fetches the media of customers' messages, and deletes files that nothing needs any more. */
export default ({ services: { media, mediaFetching, expiredFiles, releasedFiles } }: JobOptions): JobQueue[] => [
  {
    name: 'media',
    perform: mediaFetching.fetchFor,
    due: async (before) => mediaFetching.due(before),
    upkeep: async () => {
      await media.removeUnfinished()
      await expiredFiles.sweep()
      await releasedFiles.sweep()
    },
  },
]
