import { createRedis } from '@parley/service-kit/core/redis'
import { consume, dueWorkspaces } from '@parley/service-kit/data/consume'
import { createEventPublisher } from '@parley/service-kit/data/event-stream'
import { createSequencer } from '@parley/service-kit/data/sequencer'
import { laneCount, laneOf } from '@parley/service-kit/queue/lanes'
import { runWorker } from '@parley/service-kit/queue/run-worker'
import { workerConfigSchema } from './config.ts'
import { openMessaging } from './open-messaging.ts'

/** Work that is younger is left to its wake-up. */
const overdueMs = 3000

/** Consumer of the log of events. */
const messageSearch = 'message-search'
/** Events of one transaction: a message has up to 60 keys in the index. */
const searchBatch = 200

const allLanes = Array.from({ length: laneCount }, (_, lane) => lane)

/** Applies what WhatsApp has sent, sends what people have written, and numbers and publishes the events of both. */
await runWorker({
  name: 'messaging-worker',
  service: 'messaging',
  schema: workerConfigSchema,
  start: async (config, { logger, metrics, queues, giveUp }) => {
    const messaging = await openMessaging('messaging-worker', config, { logger, metrics, queues, giveUp })
    const { database, services } = messaging
    const redis = createRedis(config.REDIS_URL, { name: 'messaging-events', logger, onRefused: giveUp })
    const sequencer = createSequencer({
      connection: database.connection,
      consumers: [messageSearch],
      publish: createEventPublisher(redis).publish,
    })
    const overdueIn = (oldestIn: (lane: number) => Promise<Date | undefined>) => async () => {
      if (!database.isOpen()) return []
      const before = Date.now() - overdueMs
      const oldest = await Promise.all(allLanes.map(oldestIn))
      return allLanes.filter((lane) => (oldest[lane]?.getTime() ?? Number.POSITIVE_INFINITY) < before)
    }
    queues.workLanes('apply', { drain: services.apply.drain, pendingLanes: overdueIn(services.rawEvents.oldestIn) })
    queues.workLanes('send', { drain: services.sender.drain, pendingLanes: overdueIn(services.outbox.oldestIn) })
    queues.workJobs('number-health', {
      perform: services.numberHealth.check,
      pendingRecords: async () => (database.isOpen() ? services.numberHealth.due() : []),
    })
    queues.workLanes('events', {
      drain: async (lane) => {
        for (const workspaceId of await sequencer.waiting())
          if (laneOf(workspaceId) === lane) await sequencer.sequence(workspaceId)
        await queues.lanes('search').wake([lane])
        return false
      },
      pendingLanes: async () => (database.isOpen() ? (await sequencer.waiting()).map(laneOf) : []),
    })
    queues.workJobs('snooze', {
      perform: services.changes.wake,
      pendingRecords: async () => (database.isOpen() ? services.changes.due() : []),
    })
    const { connection } = database
    queues.workLanes('search', {
      drain: async (lane) => {
        const handle = (workspaceId: string) =>
          consume({
            connection,
            consumer: messageSearch,
            workspaceId,
            limit: searchBatch,
            handle: (events, tx) => services.indexMessages({ workspaceId }, events, tx),
          })
        let hasMore = false
        for (const workspaceId of await dueWorkspaces({ connection, consumer: messageSearch }))
          if (laneOf(workspaceId) === lane) hasMore = (await handle(workspaceId)) === searchBatch || hasMore
        return hasMore
      },
      pendingLanes: async () =>
        database.isOpen() ? (await dueWorkspaces({ connection, consumer: messageSearch })).map(laneOf) : [],
    })
    return {
      probes: [messaging.probe],
      oldestPendingAt: async () => {
        const dates = await Promise.all(allLanes.map(services.rawEvents.oldestIn))
        const times = dates.flatMap((date) => date?.getTime() ?? [])
        return times.length > 0 ? new Date(Math.min(...times)) : undefined
      },
      close: async () => {
        redis.disconnect()
        await messaging.close()
      },
    }
  },
})
