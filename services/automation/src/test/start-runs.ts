import { setTimeout as wait } from 'node:timers/promises'
import type { AutomationSettings } from '@parley/contracts/automation/bot-settings'
import type { NewConnection } from '@parley/contracts/automation/connections'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { FlowJob } from '@parley/contracts/automation/flow-jobs'
import { createLogger } from '@parley/service-kit/core/logger'
import { createMetrics } from '@parley/service-kit/core/metrics'
import { createOutboundHttp, type OutboundHttp } from '@parley/service-kit/core/outbound-http'
import { createSecretBox } from '@parley/service-kit/core/secret-box'
import { createJobRecords } from '@parley/service-kit/data/job-records'
import { loadMigrations, runMigrations } from '@parley/service-kit/data/migrations'
import { moveGateOf } from '@parley/service-kit/data/move-gate'
import { createPageCursors } from '@parley/service-kit/data/page-cursor'
import { newId } from '@parley/service-kit/data/plain'
import { inTransaction } from '@parley/service-kit/data/transaction'
import type { UserContext } from '@parley/service-kit/http/context'
import type { Jobs } from '@parley/service-kit/queue/jobs'
import { openTestDatabase } from '@parley/service-kit/testing/test-database'
import { inject } from 'vitest'
import { createAttention } from '../modules/attention/attention.service.ts'
import { createCallStore, createConnectionsModule } from '../modules/connections/module.ts'
import { createDryRuns } from '../modules/dry-runs/dry-runs.service.ts'
import { createFeedCursors } from '../modules/feed/feed-cursors.repository.ts'
import { createReadFeed } from '../modules/feed/read-feed.ts'
import { createSampleChanges } from '../modules/feed/sample-changes.ts'
import { createFlowJobs } from '../modules/flow-jobs/flow-jobs.service.ts'
import { createStartScheduled } from '../modules/flow-jobs/start-scheduled.ts'
import { createFlowStore } from '../modules/flows/flow-store.ts'
import { createSchedulesRepository } from '../modules/flows/schedules.ts'
import { createHooksRepository } from '../modules/hooks/hooks.repository.ts'
import { createHooksService } from '../modules/hooks/hooks.service.ts'
import { createReceiveCall } from '../modules/hooks/receive-call.ts'
import { createRuns } from '../modules/runs/create-runs.ts'
import { createRunsRepository } from '../modules/runs/runs.repository.ts'
import { createRunsOfFlows } from '../modules/runs/runs-of-flows.repository.ts'
import { createSampleRuns } from '../modules/runs/sample-runs.ts'
import { createClosings } from '../platform/closings.ts'
import { createAutomationMetrics } from '../platform/metrics.ts'
import type { AskService } from '../platform/platform.ts'
import { createMemoryFlows } from './memory-flows.ts'
import { createMessagingModel } from './messaging-model.ts'

const logger = createLogger({ name: 'automation-test', level: 'silent' })

/** Starts the runtime on a real database, with messaging in memory: a test decides the order of things. */
export async function startRuns() {
  const database = await openTestDatabase(inject('stack').urls.mongodb)
  const { connection } = database
  await runMigrations(connection, {
    migrations: await loadMigrations(`${import.meta.dirname}/../migrations`),
    logger,
    signal: new AbortController().signal,
  })
  return { database, join: (ask?: AskService) => joinRuns(connection, ask), stop: database.drop }
}

/** When a run ends, wherever it is. */
const lastDay = { $add: ['$createdAt', 60 * 86_400_000] }

const idleQueue: Jobs = {
  add: async () => undefined,
  dead: async () => [],
  countDead: async () => 0,
  replay: async () => false,
  revive: async () => undefined,
  close: async () => undefined,
}

type Connection = Awaited<ReturnType<typeof openTestDatabase>>['connection']

/** Creates a workspace with its own messaging and bots. @param asked answers the runtime in place of that messaging. */
function joinRuns(mongo: Connection, asked?: AskService) {
  const messaging = createMessagingModel()
  const { workspace, ask, now } = messaging
  const { services: bots, ...changes } = createMemoryFlows()
  let settings: AutomationSettings = { handOverWords: ['agent', 'human'], version: 0 }
  const cursors = createPageCursors('a secret of these tests, long enough')
  const platform = {
    mongo,
    cursors,
    logger,
    askMessaging: asked ?? ask,
    // Each call is told anew.
    closings: () => createClosings({ askMessaging: ask, logger })(),
    publish: async () => undefined,
    queues: {
      lanes: () => ({ wake: async () => undefined, close: async () => undefined }),
      jobs: () => {
        throw new Error('no jobs')
      },
    },
    transaction: <T>(work: Parameters<typeof inTransaction<T>>[1]) => inTransaction(mongo, work),
  }
  const figures = createAutomationMetrics(createMetrics('automation-test'))
  const attention = createAttention({ mongo, cursors, figures, namesOf: async () => new Map() })
  const repository = createRunsRepository(mongo)
  const box = createSecretBox([{ id: 'k1', key: Buffer.alloc(32, 1) }])
  const callStore = createCallStore({ mongo, box, queues: { ...platform.queues, jobs: () => idleQueue } })
  const hooks = createHooksRepository(mongo)
  /** Decisions of workflows on events, in their order. */
  const decisions: string[] = []
  const create = (limits: { maxLive?: number } = {}) => {
    const runs = createRuns({
      ...limits,
      ...platform,
      keepPassed: createFeedCursors(mongo).keepPassed,
      calls: callStore,
      flows: bots,
      settings: { read: async () => settings },
      attention,
      now,
      runs: repository,
    })
    const sample = createSampleChanges({
      ...platform,
      flows: createFlowStore({ mongo }).sample,
      runs: createSampleRuns(mongo),
      attention,
    })
    const forgetCalls = callStore.forget
    const hookCalls = hooks
    const feed = createReadFeed({
      ...platform,
      figures: { countDecision: (result) => void decisions.push(result) },
      ...runs,
      runs: repository,
      attention,
      forgetCalls,
      hookCalls,
      sample,
      now,
    })
    return { ...runs, feed }
  }
  const runtime = create()
  const noBreak = {
    usedBy: async () => [],
    hold: async () => undefined,
    raise: async () => undefined,
    tell: runtime.giveAnswer,
  }
  /** Adds a connection. */
  const connect = async (
    baseUrl: string,
    more: { authentication?: NewConnection['authentication']; repeatable?: boolean } = {},
  ) =>
    connectionsBy(createOutboundHttp({ allowLoopback: true })).create(workspace, {
      name: `To ${newId()}`,
      baseUrl,
      authentication: more.authentication ?? { kind: 'none' },
      repeatable: more.repeatable ?? false,
    })
  const connectionsBy = (outbound: OutboundHttp) =>
    createConnectionsModule({ ...platform, outbound }, callStore, noBreak)
  const calls = (filter: object = {}) => mongo.collection('calls').find(mine(filter)).toArray()
  /** Makes calls until none is due, and works on what follows. @param send in place of real HTTP. */
  const callOut = async (send?: OutboundHttp['send']): Promise<void> => {
    const http = createOutboundHttp({ allowLoopback: true, keepAlive: false, maxAnswerBytes: 1024 * 1024 })
    const { performCalls } = connectionsBy(send ? { ...http, send } : http)
    const due = () => calls({ open: 'open', dueAt: { $lte: new Date() } })
    for (let found = await due(); found.length > 0; found = await due()) {
      for (const id of new Set(found.map(({ connectionId }) => String(connectionId))))
        await performCalls({ id, ...workspace }, () => undefined)
      await settle()
      if ((await platform.closings()).size > 0) break
    }
    await http.close()
  }
  const jobs = createJobRecords(mongo)
  const createJobs = () =>
    createFlowJobs({
      ...platform,
      ...runtime,
      jobs,
      runs: repository,
      attention,
      now,
      queue: async () => undefined,
      requireWorkflow: bots.requireFlow,
    })
  const flowJobs = createJobs()
  const dryRuns = createDryRuns({
    ...platform,
    ...runtime,
    jobs,
    now,
    queue: async () => undefined,
    flows: {
      requireWorkflow: bots.requireFlow,
      readDraft: (scope, id) => bots.readDraft(scope, 'workflow', id),
      readVersion: bots.readVersion,
    },
  })
  const hooksService = createHooksService({
    ...platform,
    hooks,
    requireWorkflow: bots.requireFlow,
    hold: async () => undefined,
    now,
    namesWorkspace: false,
  })
  /** Creates a server that takes calls of other systems. */
  const createReceiver = () =>
    createReceiveCall({ ...platform, ...runtime, gate: moveGateOf(mongo), hooks, runs: repository, attention, now })
  const schedules = createSchedulesRepository(mongo, { now })
  /** Creates a worker that looks for workflows whose time has come. */
  const createScheduler = (clock = now) =>
    createStartScheduled({
      ...platform,
      schedules,
      jobs,
      queue: async () => undefined,
      attention,
      now: clock,
      tellPages: () => undefined,
    })
  /** Stores the schedules of a workflow's flow, as starting and publishing it do. @param clock that of the server. */
  const claim = ({ id, flow }: { id: string; flow: DraftFlow }, clock = now) =>
    platform.transaction((tx) => createSchedulesRepository(mongo, { now: clock }).claim(workspace, id, flow, tx))
  const owner = {
    ...workspace,
    userId: 'a'.repeat(24),
    actor: { kind: 'user', id: 'a'.repeat(24) },
    may: () => true,
  } as object as UserContext
  /** Works on a job until it has ended, and on what follows. */
  const finish = async ({ id, workflowId }: FlowJob): Promise<FlowJob> => {
    // A step that met other work is tried again after a pause.
    for (;;) {
      await flowJobs.perform({ id, ...workspace }).catch(() => undefined)
      const found = (await flowJobs.list(workspace, workflowId)).find((job) => job.id === id)
      if (!found) throw new Error('the job is gone')
      if (found.state !== 'waiting' && found.state !== 'running') {
        await settle()
        return found
      }
      await wait(20)
    }
  }

  /** Reads new events, once. */
  const read = () => runtime.feed.readOn(workspace)
  /** Works on all lanes once. */
  const work = async (drain = runtime.drain) => {
    for (const lane of await lanes()) await drain(lane)
  }
  async function lanes(): Promise<number[]> {
    const found = await mongo.collection('runs').distinct('home', { live: true })
    return found.map(Number)
  }
  /** Reads and works until nothing changes any more. */
  async function settle(): Promise<void> {
    for (let before = -1; before !== messaging.events.length || (await hasWork()); ) {
      before = messaging.events.length
      while (await read());
      await work()
    }
    while (await read());
  }
  const hasWork = async () =>
    (await mongo
      .collection('runs')
      .countDocuments(mine({ lane: { $exists: true }, retryAt: { $lte: new Date(await now()) } }))) > 0
  const mine = (filter: object) => ({ ...filter, workspaceId: new mongo.base.Types.ObjectId(workspace.workspaceId) })

  return {
    ...runtime,
    create,
    connect,
    calls,
    callOut,
    callStore,
    flowJobs,
    createJobs,
    dryRuns,
    decisions,
    jobRecords: () => mongo.collection('jobs').find(mine({})).toArray(),
    hooks: hooksService,
    createReceiver,
    inputs: () => mongo.collection('runInputs').find(mine({})).toArray(),
    hookCalls: () => mongo.collection('hookCalls').find(mine({})).sort({ _id: 1 }).toArray(),
    schedules,
    claim,
    release: ({ id }: { id: string }) => platform.transaction((tx) => schedules.release(workspace, id, tx)),
    createScheduler,
    finish,
    owner,
    messaging,
    scope: workspace,
    attention,
    read,
    work,
    lanes,
    settle,
    ...changes,
    /** Moves waiting runs of a flow to another version. */
    moveRuns: (botId: string, to: { from: number; to: number; nodeIds: readonly string[] }) =>
      inTransaction(mongo, (tx) => createRunsOfFlows(repository).move(workspace, botId, to, tx)),
    /** Ends the live runs of a flow, as its deletion does, or all but those of a version, as publishing may. */
    endRuns: (botId: string, how: { reason: string; except?: number }) =>
      inTransaction(mongo, (tx) => createRunsOfFlows(repository).end(workspace, botId, how, tx)),
    changeSettings: (changed: Partial<typeof settings>) => {
      settings = { ...settings, ...changed }
    },
    /** Holds the live runs, as a restore does. */
    hold: () =>
      mongo.collection('runs').updateMany(mine({ live: true, ending: { $exists: false } }), [
        {
          $set: {
            status: 'held',
            version: { $add: ['$version', 1] },
            dueAt: lastDay,
            dueFor: 'end',
            dueLane: '$home',
          },
        },
        { $unset: ['lane', 'retryAt'] },
      ]),
    runs: () => mongo.collection('runs').find(mine({})).sort({ _id: 1 }).toArray(),
    steps: () => mongo.collection('steps').find(mine({})).sort({ runId: 1, n: 1 }).toArray(),
    items: () => mongo.collection('attention').find(mine({})).toArray(),
  }
}
export type Runs = Awaited<ReturnType<typeof startRuns>>
export type Joined = ReturnType<Runs['join']>
