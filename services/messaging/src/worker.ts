import { createRedis } from '@parley/service-kit/core/redis'
import { createEventPublisher } from '@parley/service-kit/data/event-stream'
import { createAuditForwarder } from '@parley/service-kit/data/forward-audit'
import { workQueues } from '@parley/service-kit/queue/load-jobs'
import { runWorker } from '@parley/service-kit/queue/run-worker'
import { sweepEvery } from '@parley/service-kit/queue/sweep'
import { workerConfigSchema } from './config.ts'
import { loadWork } from './load-work.ts'
import { openMessaging } from './open-messaging.ts'
import { connectProfile } from './platform/ask-profile.ts'
import { measureWaiting } from './platform/metrics.ts'
import { workEvents } from './platform/work-events.ts'

const name = 'messaging-worker'
const auditSweepMs = 1000

/** Does the work of every `*.jobs.ts`, and numbers and publishes the events that come of it. */
await runWorker({
  name,
  service: 'messaging',
  schema: workerConfigSchema,
  start: async (config, { queues, ...tools }) => {
    const { askMembers, deliverAudit, publicKeys } = await connectProfile(name, config)
    const messaging = await openMessaging(name, config, { ...tools, queues, askMembers })
    const { database, services, probe } = messaging
    const { logger, giveUp } = tools
    const redis = createRedis(config.REDIS_URL, { name: 'messaging-events', logger, onRefused: giveUp })
    const { publish, publishUnlogged } = createEventPublisher(redis)
    measureWaiting(tools.metrics, { ...services.waiting, countFailedJobs: services.jobWork.countFailed })
    const { connection, isOpen } = database
    const { consumers, queued } = await loadWork({ services, config, redis, publishUnlogged, connection })
    workEvents(queues, database, { consumers, feed: services.feed.reader, publish })
    const work = workQueues(queues, queued, isOpen)
    const forwardAudit = createAuditForwarder(connection, deliverAudit)
    const stopAudit = sweepEvery(auditSweepMs, async () => (isOpen() ? forwardAudit() : undefined), logger)
    const close = async () => {
      await stopAudit()
      await work.close()
      redis.disconnect()
      await messaging.close()
    }
    return { probes: [probe], publicKeys, oldestPendingAt: work.oldestPendingAt, close }
  },
})
