import { createRedis } from '@parley/service-kit/core/redis'
import { oldestWaitingEntryAt } from '@parley/service-kit/data/audit-log'
import { clearWorkspace } from '@parley/service-kit/data/copy-workspace'
import { createWorkspaceEraser } from '@parley/service-kit/data/erase-workspace'
import { createEventPublisher } from '@parley/service-kit/data/event-stream'
import { createAuditForwarder } from '@parley/service-kit/data/forward-audit'
import { measureFailedJobs } from '@parley/service-kit/data/job-records'
import { measureCollections } from '@parley/service-kit/data/measure-collections'
import { createMediaFiles } from '@parley/service-kit/media/media-files'
import { heedMoves } from '@parley/service-kit/queue/heed-moves'
import { workQueues } from '@parley/service-kit/queue/load-jobs'
import { runWorker } from '@parley/service-kit/queue/run-worker'
import { upkeepIdleMs } from '@parley/service-kit/queue/sweep'
import { workerConfigSchema } from './config.ts'
import { loadWork } from './load-work.ts'
import { openMessaging } from './open-messaging.ts'
import { connectProfile } from './platform/ask-profile.ts'
import { closingWorkspaces } from './platform/closings.model.ts'
import { measureWaiting } from './platform/metrics.ts'
import { workEvents } from './platform/work-events.ts'

const name = 'messaging-worker'
const auditSweepMs = 1000
const erasureSweepMs = 60_000
const fileCollections = ['media', 'importFiles', 'exportFiles', 'workspaceExports']

/** Does the work of every `*.jobs.ts`, erases deleted workspaces, and numbers and publishes the events that come of it. */
await runWorker({
  name,
  service: 'messaging',
  schema: workerConfigSchema,
  start: async (config, { queues, ...tools }) => {
    const { askMembers, openRecords, deliverAudit, erasures, publicKeys } = await connectProfile(name, config)
    const messaging = await openMessaging(name, config, { ...tools, queues, askMembers, openRecords })
    const { database, services, probe } = messaging
    const { logger, giveUp } = tools
    const redis = createRedis(config.REDIS_URL, { name: 'messaging-events', logger, onRefused: giveUp })
    const { publish, publishUnlogged } = createEventPublisher(redis)
    measureWaiting(tools.metrics, services)
    measureFailedJobs(tools.metrics, services.jobWork)
    measureCollections(database.connection, tools.metrics)
    const { connection } = database
    const { consumers, queued } = await loadWork({ services, config, redis, publishUnlogged, connection })
    const { feed, closings } = services
    const { rest } = queues
    rest.lookWhile(database.isOpen)
    // First: nothing is begun before it is known that no workspace moves.
    const inHand = () => work.inHand()
    const stopHeeding = heedMoves(database, { name, logger, rest, inHand, clear: clearWorkspace })
    const eventsSince = workEvents(queues, connection, { consumers, feed: feed.reader, closed: closings.ids, publish })
    const work = workQueues(queues, queued)
    const forwardAudit = createAuditForwarder(connection, deliverAudit)
    queues.sweepEvery(auditSweepMs, forwardAudit)
    const files = fileCollections.map((of) => ({ name: of, removeOf: createMediaFiles(connection, of).removeOf }))
    const erase = createWorkspaceEraser({ connection, logger, ...erasures, files, last: [closingWorkspaces] })
    queues.sweepEvery(erasureSweepMs, erase, { idleMs: upkeepIdleMs })
    const close = async () => {
      await work.close()
      await stopHeeding()
      redis.disconnect()
      await messaging.close()
    }
    const { stoppedSince } = work
    const pendingSince = async () => {
      const [queued, events, audit] = await Promise.all([
        work.pendingSince(),
        eventsSince(),
        oldestWaitingEntryAt(connection),
      ])
      return { ...queued, ...events, audit }
    }
    // Numbers set the pace of campaigns, automation and profile that of what they take.
    const paced = ['campaigns', feed.reader.consumer, 'audit']
    return { probes: [probe], publicKeys, pendingSince, paced, stoppedSince, close }
  },
})
