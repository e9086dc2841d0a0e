import { createRedis } from '@parley/service-kit/core/redis'
import { createEventPublisher } from '@parley/service-kit/data/event-stream'
import { pendingLanes } from '@parley/service-kit/data/pending-lanes'
import { createSequencer } from '@parley/service-kit/data/sequencer'
import { laneOf } from '@parley/service-kit/queue/lanes'
import { runWorker } from '@parley/service-kit/queue/run-worker'
import { workerConfigSchema } from './config.ts'
import { createCampaignProgress } from './modules/campaigns/run/campaign-progress.ts'
import { createRawEventsRepository } from './modules/channel/ingest/raw-events.repository.ts'
import { createNumbersRepository } from './modules/channel/numbers/numbers.repository.ts'
import { openMessaging } from './open-messaging.ts'
import { connectProfile } from './platform/ask-profile.ts'
import { measureWaiting } from './platform/metrics.ts'
import { wakeTogether } from './platform/wake-together.ts'
import { type EventConsumer, workEvents } from './platform/work-events.ts'
import type { Services } from './services.ts'

/** Work that is younger is left to its wake-up. */
const overdueMs = 3000
/** A customer waits for the answer. */
const feedPauseMs = 10

/** Readers of the event log, and the event types that each reads. */
const eventConsumers = (services: Services): EventConsumer[] => [
  // A message has up to 60 keys in the index.
  {
    consumer: 'message-search',
    types: ['message.changed', 'history.added'],
    limit: 200,
    handle: services.indexMessages,
  },
  { consumer: 'assignment', types: ['conversation.changed'], limit: 200, handle: services.assignment.assign },
  {
    consumer: 'template-accounts',
    types: ['number.changed'],
    limit: 200,
    handle: services.templateSync.onNumbersChanged,
  },
  { consumer: 'usage', types: ['message.changed'], limit: 500, handle: services.countUsage },
  {
    consumer: 'notifications',
    types: ['campaign.changed', 'template.changed', 'number.changed'],
    limit: 200,
    handle: services.raiseNotifications,
  },
]

/** Applies what WhatsApp has sent, sends what people have written, and numbers and publishes the events of both. */
await runWorker({
  name: 'messaging-worker',
  service: 'messaging',
  schema: workerConfigSchema,
  start: async (config, { logger, metrics, queues, giveUp }) => {
    const { askMembers, publicKeys } = await connectProfile('messaging-worker', config)
    const messaging = await openMessaging('messaging-worker', config, { logger, metrics, queues, giveUp, askMembers })
    const { database, services } = messaging
    measureWaiting(metrics, {
      countStopped: createNumbersRepository(database.connection).countStopped,
      countDead: createRawEventsRepository(database.connection).countDeadByKind,
    })
    const redis = createRedis(config.REDIS_URL, { name: 'messaging-events', logger, onRefused: giveUp })
    const consumers = eventConsumers(services)
    const wakes = new Map(consumers.map((each) => [each.consumer, workEvents(queues, database, each)]))
    // Another service reads them, in its own workers.
    wakes.set(services.feed.reader.consumer, wakeTogether(queues.lanes('events', 'automation'), feedPauseMs))
    const publisher = createEventPublisher(redis)
    const sequencer = createSequencer({
      connection: database.connection,
      consumers: [...consumers, services.feed.reader],
      publish: publisher.publish,
      wake: (workspaceId, concerned) => {
        for (const consumer of concerned) wakes.get(consumer)?.([laneOf(workspaceId)])
      },
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
      pendingRecords: async () => {
        if (!database.isOpen()) return []
        await services.media.removeUnfinished()
        return services.dueMedia(new Date(Date.now() - overdueMs))
      },
    })
    queues.workJobs('jobs', {
      perform: services.jobWork.perform,
      pendingRecords: async () => {
        if (!database.isOpen()) return []
        await services.imports.sweep()
        await services.contactJobs.sweepFiles()
        await services.contactJobs.eraseExpired()
        return services.jobWork.pending()
      },
      concurrency: 2,
    })
    queues.workJobs('campaigns', {
      perform: services.campaignRun.perform,
      pendingRecords: async () => (database.isOpen() ? services.campaignRun.due() : []),
      // The outbox of a running one is filled again before it is empty.
      sweepMs: 500,
    })
    queues.workJobs('campaign-counts', {
      perform: createCampaignProgress({ recount: services.recount, publish: publisher.publishUnlogged }).perform,
      // Running campaigns count their blocks in turn, and others when a member looks.
      pendingRecords: async () => [],
      concurrency: 2,
    })
    const oldRows = services.createOldRowRemoval(config.CAMPAIGN_ROWS_MONTHS)
    queues.workJobs('campaign-rows', {
      perform: oldRows.perform,
      pendingRecords: async () => (database.isOpen() ? oldRows.due() : []),
      concurrency: 1,
    })
    queues.workJobs('usage-watch', {
      perform: services.usageWatch.perform,
      pendingRecords: async () => (database.isOpen() ? services.usageWatch.due() : []),
    })
    queues.workJobs('template-sync', {
      perform: services.templateSync.perform,
      pendingRecords: async () => (database.isOpen() ? services.templateSync.due() : []),
    })
    queues.workJobs('template-reads', {
      perform: services.templateAdoption.perform,
      pendingRecords: async () => (database.isOpen() ? services.templateAdoption.due() : []),
    })
    queues.workJobs('template-purge', {
      perform: services.templateRemoval.purge,
      pendingRecords: async () => (database.isOpen() ? services.templateRemoval.due() : []),
    })
    queues.workLanes('events', {
      drain: async (lane) => {
        for (const workspaceId of await sequencer.waiting())
          if (laneOf(workspaceId) === lane) await sequencer.sequence(workspaceId)
        return false
      },
      pendingLanes: async () => (database.isOpen() ? (await sequencer.waiting()).map(laneOf) : []),
    })
    queues.workJobs('snooze', {
      perform: services.changes.wake,
      pendingRecords: async () => (database.isOpen() ? services.changes.due() : []),
    })
    queues.workJobs('assignment-due', {
      perform: services.assignment.assignDue,
      pendingRecords: async () => (database.isOpen() ? services.assignment.due() : []),
      // Members take turns: two at once would run into each other.
      concurrency: 1,
    })
    return {
      probes: [messaging.probe],
      publicKeys,
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
