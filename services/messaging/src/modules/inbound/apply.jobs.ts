import { pendingLanes } from '@parley/service-kit/data/pending-lanes'
import type { LaneQueue } from '@parley/service-kit/queue/load-jobs'
import type { JobOptions } from '../../load-work.ts'

/** Applies what WhatsApp has sent. */
export default ({ services, connection }: JobOptions): LaneQueue[] => {
  const pending = pendingLanes(connection, { collection: 'rawEvents', field: 'lane', index: 'pending' })
  return [
    {
      lanes: 'apply',
      drain: services.apply.drain,
      due: async (before) => (await pending()).filter(({ since }) => since < before).map(({ lane }) => lane),
      pendingSince: async () => {
        const times = (await pending()).map(({ since }) => since.getTime())
        return { apply: times.length > 0 ? new Date(Math.min(...times)) : undefined }
      },
    },
  ]
}
