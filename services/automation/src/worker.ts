import { auditInternalApi } from '@parley/contracts/account/audit'
import { workspaceErasureApi } from '@parley/contracts/account/workspace-deletion'
import { createRedis } from '@parley/service-kit/core/redis'
import { oldestWaitingEntryAt } from '@parley/service-kit/data/audit-log'
import { clearWorkspace } from '@parley/service-kit/data/copy-workspace'
import { createWorkspaceEraser } from '@parley/service-kit/data/erase-workspace'
import { createAuditForwarder } from '@parley/service-kit/data/forward-audit'
import { measureFailedJobs } from '@parley/service-kit/data/job-records'
import { measureCollections } from '@parley/service-kit/data/measure-collections'
import { pendingLanes } from '@parley/service-kit/data/pending-lanes'
import { heedMoves } from '@parley/service-kit/queue/heed-moves'
import { laneOf } from '@parley/service-kit/queue/lanes'
import { runWorker } from '@parley/service-kit/queue/run-worker'
import { clockIdleMs, upkeepIdleMs } from '@parley/service-kit/queue/sweep'
import { workerConfigSchema } from './config.ts'
import { callsQueue } from './modules/connections/module.ts'
import { openAutomation } from './open-automation.ts'
import { dryRunsQueue, jobsQueue } from './platform/platform.ts'

const name = 'automation-worker'

/** Milliseconds between two looks for waits that are over. */
const waitsSweepMs = 500
/** Milliseconds between two looks for workflows whose time has come. */
const schedulesSweepMs = 1000
/** Connections that are called at once, and milliseconds between two looks for calls that are made again. */
const callsAtOnce = 64
const callsSweepMs = 1000
/** Milliseconds between additions to the counts of nodes. */
const countsSweepMs = 2000
const auditSweepMs = 1000
const erasureSweepMs = 60_000

/** Moves sessions of bots on: reads events, performs the steps that follow, and wakes sessions that have waited. */
await runWorker({
  name,
  service: 'automation',
  schema: workerConfigSchema,
  start: async (config, { logger, metrics, queues, giveUp }) => {
    const redis = createRedis(config.REDIS_URL, { name, logger, onRefused: giveUp })
    const automation = await openAutomation(name, config, { logger, metrics, queues, redis, giveUp })
    const { database, services } = automation
    const { feed, runs } = services
    queues.rest.lookWhile(database.isOpen)
    measureCollections(database.connection, metrics)
    measureFailedJobs(metrics, services.failedJobs)
    const stopHeeding = heedMoves(database, { name, logger, rest: queues.rest, clear: clearWorkspace })
    const toDeliver = pendingLanes(database.connection, { collection: 'runs', field: 'lane', index: 'pending' })
    const pending = async () => (await toDeliver()).map(({ lane }) => lane)
    queues.workLanes('events', {
      drain: feed.drain,
      pendingLanes: async () => (await feed.due()).map(laneOf),
      concurrency: 8,
    })
    queues.workLanes('deliver', { drain: runs.drain, pendingLanes: pending, concurrency: 16 })
    queues.sweepEvery(waitsSweepMs, runs.wakeDue, { idleMs: clockIdleMs })
    queues.sweepEvery(schedulesSweepMs, services.startScheduled, { idleMs: clockIdleMs })
    queues.sweepEvery(countsSweepMs, runs.count)
    queues.workJobs('routing', { perform: services.telling.perform, pendingRecords: services.telling.due })
    queues.workJobs('jobs', {
      ...jobsQueue,
      perform: services.flowJobs.perform,
      pendingRecords: services.flowJobs.pending,
      concurrency: 2,
    })
    queues.workJobs(dryRunsQueue.name, {
      ...dryRunsQueue,
      perform: services.dryRuns.perform,
      pendingRecords: services.dryRuns.pending,
      concurrency: 1,
    })
    queues.workJobs(callsQueue.name, {
      ...callsQueue,
      perform: services.connections.performCalls,
      pendingRecords: services.connections.dueCalls,
      concurrency: callsAtOnce,
      sweepMs: callsSweepMs,
    })
    queues.workJobs('bot-failures', {
      perform: services.failures.perform,
      pendingRecords: services.failures.due,
      keepsWakes: true,
    })
    queues.workJobs('removed-bots', {
      perform: services.bots.removal.perform,
      pendingRecords: services.bots.removal.due,
      concurrency: 1,
    })
    queues.workJobs('removed-workflows', {
      perform: services.workflows.removal.perform,
      pendingRecords: services.workflows.removal.due,
      concurrency: 1,
    })
    const forwardAudit = createAuditForwarder(database.connection, (workspaceId, entries) =>
      automation.askProfile({ workspaceId }, auditInternalApi.receive, { body: { entries: [...entries] } }),
    )
    queues.sweepEvery(auditSweepMs, forwardAudit)
    const inOwnName = { workspaceId: '' }
    const erase = createWorkspaceEraser({
      connection: database.connection,
      logger,
      due: async () =>
        (await automation.askProfile(inOwnName, workspaceErasureApi.due, { query: { cell: config.CELL } }))
          .workspaceIds,
      report: (id, removed) =>
        automation.askProfile(inOwnName, workspaceErasureApi.report, { params: { id }, body: { removed } }),
    })
    queues.sweepEvery(erasureSweepMs, erase, { idleMs: upkeepIdleMs })
    return {
      probes: [automation.probe],
      publicKeys: automation.publicKeys,
      pendingSince: async () => {
        const [deliver, waits, schedules, calls, jobs, audit] = await Promise.all([
          pending().then(runs.oldestPendingAt),
          runs.oldestWaitEndAt(),
          services.oldestScheduleAt(),
          services.connections.oldestCallAt(),
          services.oldestJobAt(),
          oldestWaitingEntryAt(database.connection),
        ])
        return { deliver, waits, schedules, calls, jobs, audit }
      },
      // Profile sets the pace.
      paced: ['audit'],
      close: async () => {
        await stopHeeding()
        redis.disconnect()
        await database.close()
      },
    }
  },
})
