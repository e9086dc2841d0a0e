import type { JobQueue } from '@parley/service-kit/queue/load-jobs'
import type { JobOptions } from '../../../load-work.ts'

/** Fetches the media of customers' messages. */
export default ({ services: { media, mediaFetching } }: JobOptions): JobQueue[] => [
  {
    name: 'media',
    perform: mediaFetching.fetchFor,
    due: async (before) => {
      await media.removeUnfinished()
      return mediaFetching.due(before)
    },
  },
]
