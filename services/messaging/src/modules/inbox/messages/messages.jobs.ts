import type { JobQueue } from '@parley/service-kit/queue/load-jobs'
import type { JobOptions } from '../../../load-work.ts'

/** Fetches the media of customers' messages. */
export default ({ services: { media, mediaFetching, releasedFiles } }: JobOptions): JobQueue[] => [
  {
    name: 'media',
    perform: mediaFetching.fetchFor,
    due: async (before) => {
      const due = await mediaFetching.due(before)
      await media.removeUnfinished()
      await releasedFiles.sweep()
      return due
    },
  },
]
