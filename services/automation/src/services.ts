import { createDatabaseClock } from '@parley/service-kit/data/database-clock'
import { createJobRecords } from '@parley/service-kit/data/job-records'
import { moveGateOf } from '@parley/service-kit/data/move-gate'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { createAttention } from './modules/attention/attention.service.ts'
import { createTellFailures } from './modules/attention/tell-failures.ts'
import { createCallStore, createConnectionsModule } from './modules/connections/module.ts'
import { dryRunKind } from './modules/dry-runs/dry-run-records.ts'
import { createDryRuns } from './modules/dry-runs/dry-runs.service.ts'
import { createExportOf } from './modules/exports/exported-collections.ts'
import { createFeedCursors } from './modules/feed/feed-cursors.repository.ts'
import { createReadFeed } from './modules/feed/read-feed.ts'
import { createSampleChanges } from './modules/feed/sample-changes.ts'
import { createFlowJobs } from './modules/flow-jobs/flow-jobs.service.ts'
import { createStartScheduled } from './modules/flow-jobs/start-scheduled.ts'
import { createFlowStore } from './modules/flows/flow-store.ts'
import { createFlows } from './modules/flows/module.ts'
import { createHooksRepository } from './modules/hooks/hooks.repository.ts'
import { createHooksService } from './modules/hooks/hooks.service.ts'
import { createReceiveCall } from './modules/hooks/receive-call.ts'
import { createRuns } from './modules/runs/create-runs.ts'
import { createRunsRepository } from './modules/runs/runs.repository.ts'
import { createRunsOfFlows } from './modules/runs/runs-of-flows.repository.ts'
import { createSampleRuns } from './modules/runs/sample-runs.ts'
import { factsFor } from './modules/runs/world.ts'
import { createSettings } from './modules/settings/module.ts'
import { createPlatform, dryRunsQueue, jobsQueue, type PlatformDependencies } from './platform/platform.ts'
import { createVisibility } from './platform/visibility.ts'

export type Services = ReturnType<typeof createServices>

/** Wires the modules, lower ones first; server and worker take those that they need. */
export function createServices(dependencies: PlatformDependencies) {
  const platform = createPlatform(dependencies)
  const settings = createSettings(platform)
  const now = createDatabaseClock(platform.mongo)
  const store = createFlowStore({ ...platform, now })
  const attention = createAttention({ ...platform, namesOf: store.namesOf })
  const failures = createTellFailures({
    ...platform,
    namesOf: store.namesOf,
    isSample: (scope, botId) => store.sample.idsIn(scope).includes(botId),
  })
  const callStore = createCallStore(platform)
  const repository = createRunsRepository(platform.mongo)
  const runs = createRuns({
    ...platform,
    keepPassed: createFeedCursors(platform.mongo).keepPassed,
    runs: repository,
    calls: callStore,
    flows: store,
    settings,
    attention,
    now,
  })
  const { worlds, tell, deliverLeased } = runs
  const sample = createSampleChanges({
    ...platform,
    flows: store.sample,
    runs: createSampleRuns(platform.mongo),
    attention,
  })
  const connections = createConnectionsModule(platform, callStore, {
    usedBy: store.usedBy,
    hold: store.table.hold,
    raise: store.table.raise,
    tell: runs.giveAnswer,
  })
  const visibility = createVisibility(platform.askMessaging)
  const hooks = createHooksRepository(platform.mongo)
  const feed = createReadFeed({
    hookCalls: hooks,
    ...platform,
    runs: repository,
    attention,
    forgetCalls: callStore.forget,
    sample,
    worlds,
    now,
    tell,
    deliverLeased,
  })
  const { bots, workflows, telling } = createFlows(platform, {
    store,
    runs: createRunsOfFlows(repository),
    settings,
    figuresOf: runs.figuresOf,
    countOpen: (viewed, flowIds) => attention.countOpen(viewed, flowIds, visibility(viewed)),
    beginFeed: feed.begin,
    connections: callStore,
    revokeHooks: (scope, flowId, tx) => hooks.revoke(scope, { flowId }, tx),
    factsOf: async (scope, version, { at, person }) => ({
      ...(await factsFor({ ...version, number: 0 }, { person }, worlds(scope, at))),
    }),
  })
  const jobs = createJobRecords(platform.mongo)
  const queue = platform.queues.jobs('jobs', jobsQueue).add
  const flowJobs = createFlowJobs({
    ...platform,
    jobs,
    queue,
    runs: repository,
    worlds,
    attention,
    now,
    tell,
    tellPages: runs.tellPages,
    requireWorkflow: (scope, id) => store.requireFlow(scope, 'workflow', id),
  })
  const dryRuns = createDryRuns({
    ...platform,
    jobs,
    queue: platform.queues.jobs(dryRunsQueue.name, dryRunsQueue).add,
    worlds,
    now,
    flows: {
      requireWorkflow: (scope, id) => store.requireFlow(scope, 'workflow', id),
      readDraft: (scope, id) => store.readDraft(scope, 'workflow', id),
      readVersion: store.workflows.readFlow,
    },
  })
  const startScheduled = createStartScheduled({
    ...platform,
    schedules: store.schedules,
    jobs,
    queue,
    attention,
    now,
    tellPages: runs.tellPages,
  })
  const requireWorkflow = (scope: WorkspaceScope, id: string) => store.requireFlow(scope, 'workflow', id)
  const hooksService = createHooksService({ ...platform, hooks, requireWorkflow, hold: store.table.hold, now })
  const receiveCall = createReceiveCall({
    ...platform,
    gate: moveGateOf(platform.mongo),
    hooks,
    runs: repository,
    worlds,
    attention,
    now,
    tell,
  })
  return {
    settings,
    connections,
    bots,
    workflows,
    telling,
    runs,
    feed,
    attention,
    failures,
    flowJobs,
    dryRuns,
    hooks: hooksService,
    receiveCall,
    startScheduled,
    failedJobs: { countFailed: jobs.countFailed, kinds: [...flowJobs.kinds, dryRunKind] },
    oldestJobAt: jobs.oldestPendingAt,
    oldestScheduleAt: store.schedules.oldestDueAt,
    visibility,
    exportOf: createExportOf(platform),
  }
}
