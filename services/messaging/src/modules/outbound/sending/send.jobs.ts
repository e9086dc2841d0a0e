import { pendingLanes } from '@parley/service-kit/data/pending-lanes'
import type { LaneQueue } from '@parley/service-kit/queue/load-jobs'
import type { JobOptions } from '../../../load-work.ts'

/** Sends what people, campaigns and bots have written. */
export default ({ services, connection, redis }: JobOptions): LaneQueue[] => {
  const sender = services.createSender(redis)
  const pending = pendingLanes(connection, { collection: 'messages', field: 'sendLane', index: 'outbox' })
  return [
    {
      lanes: 'send',
      drain: sender.drain,
      inHand: sender.inHand,
      due: async () => {
        await sender.sweep()
        return (await pending()).map(({ lane }) => lane)
      },
      pendingSince: async () => services.sendAges.waitingSince((await pending()).map(({ lane }) => lane)),
      stoppedSince: services.sendAges.stoppedSince,
      close: sender.close,
    },
  ]
}
