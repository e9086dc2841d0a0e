import { createRedis } from '@parley/service-kit/core/redis'
import { consume, dueWorkspaces } from '@parley/service-kit/data/consume'
import { createEventPublisher } from '@parley/service-kit/data/event-stream'
import { pendingLanes } from '@parley/service-kit/data/pending-lanes'
import { createSequencer } from '@parley/service-kit/data/sequencer'
import { laneOf } from '@parley/service-kit/queue/lanes'
import { runWorker } from '@parley/service-kit/queue/run-worker'
import { workerConfigSchema } from './config.ts'
import { openMessaging } from './open-messaging.ts'

/** Work that is younger is left to its wake-up. */
const overdueMs = 3000

/** Consumer of the log of events. */
const messageSearch = 'message-search'
/** Events of one transaction: a message has up to 60 keys in the index. */
const searchBatch = 200

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
    const sender = services.createSender(redis)
    const toApply = pendingLanes(database.connection, { collection: 'rawEvents', field: 'lane', index: 'pending' })
    const toSend = pendingLanes(database.connection, { collection: 'messages', field: 'sendLane', index: 'outbox' })
    queues.workLanes('apply', {
      drain: services.apply.drain,
      pendingLanes: async () => {
        const before = Date.now() - overdueMs
        const waiting = database.isOpen() ? await toApply() : []
        return waiting.filter(({ since }) => since.getTime() < before).map(({ lane }) => lane)
      },
    })
    queues.workLanes('send', {
      drain: sender.drain,
      pendingLanes: async () => {
        if (!database.isOpen()) return []
        await sender.sweep()
        return (await toSend()).map(({ lane }) => lane)
      },
    })
    queues.workJobs('number-health', {
      perform: services.numberHealth.check,
      pendingRecords: async () => (database.isOpen() ? services.numberHealth.due() : []),
    })
    queues.workJobs('media', {
      perform: services.mediaFetching.fetchFor,
      pendingRecords: async () => (database.isOpen() ? services.dueMedia(new Date(Date.now() - overdueMs)) : []),
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
        const times = (await toApply()).map(({ since }) => since.getTime())
        return times.length > 0 ? new Date(Math.min(...times)) : undefined
      },
      close: async () => {
        await sender.close()
        redis.disconnect()
        await messaging.close()
      },
    }
  },
})
