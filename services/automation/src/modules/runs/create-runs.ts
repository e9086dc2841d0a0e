import { setTimeout as wait } from 'node:timers/promises'
import type { FlowKind } from '@parley/contracts/automation/flow-summary'
import type { AutomationHint } from '@parley/contracts/platform/event-stream'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Platform } from '../../platform/platform.ts'
import type { AttentionService } from '../attention/attention.service.ts'
import { createCommitRuns } from './commit-runs.ts'
import { createCountRuns } from './count-runs.ts'
import { createWorlds } from './create-worlds.ts'
import { type CallsOfRuns, createDelivery } from './deliver.ts'
import { createGiveAnswer } from './give-answer.ts'
import { createReplayRuns } from './replay-runs.ts'
import { createRetryRun } from './retry-run.ts'
import { createRunFigures } from './run-figures.ts'
import { createRunInputs } from './run-inputs.ts'
import type { RunRecord } from './runs.model.ts'
import type { RunsRepository } from './runs.repository.ts'
import { createRunsService } from './runs.service.ts'
import { createShowCounts } from './show-counts.ts'
import { createWakeRun } from './wake-run.ts'

/** Maximum runs of one lane that are worked on at once: they are of different people. */
const atOnce = 16
const batchSize = 50
/** Maximum deliveries of one workspace at once, in all lanes of this process: others do not wait for them. */
const workspaceAtOnce = 16
/** Maximum runs of one workspace that a lane takes before it looks at the others again. */
const workspaceInLane = 4

/** Milliseconds without a delivery that ends, after which the others of a workspace do not wait for those that take long. */
const patienceMs = 3000

/** Wires runs: their view for people, and the work that moves them on. */
export function createRuns({
  flows,
  settings,
  attention,
  now,
  runs,
  calls,
  maxLive,
  ...platform
}: Pick<
  Platform,
  'mongo' | 'cursors' | 'queues' | 'transaction' | 'askMessaging' | 'publish' | 'logger' | 'closings'
> & {
  readonly runs: RunsRepository
  readonly keepPassed: Parameters<typeof createCommitRuns>[0]['keepPassed']
  readonly calls: CallsOfRuns
  readonly maxLive?: number
  readonly flows: Parameters<typeof createWorlds>[0]['flows'] &
    Pick<Parameters<typeof createRunsService>[0], 'requireFlow'> &
    Parameters<typeof createReplayRuns>[0]['flows']
  readonly settings: Parameters<typeof createWorlds>[0]['settings']
  readonly attention: AttentionService
  /** The database's clock, in milliseconds since 1970. */
  readonly now: () => Promise<number>
}) {
  const { mongo, askMessaging, logger } = platform
  const closed = async (): Promise<string[]> => [...(await platform.closings())]
  const lanes = platform.queues.lanes('deliver')
  const tellPages = createTellPages(platform)
  const worlds = createWorlds({ flows, settings, askMessaging, runs, maxLive })

  function tell({ workspaceId }: WorkspaceScope, changed: readonly RunRecord[]): void {
    const woken = changed.filter(({ todo, ending }) => todo || ending !== undefined)
    if (woken.length > 0) void lanes.wake(woken.map(({ home }) => Number(home)))
    for (const { kind, flowId } of changed) tellPages(workspaceId, kind, flowId)
  }

  const inputs = createRunInputs(mongo)
  const commit = createCommitRuns({ ...platform, runs, inputs, attention, tell })
  const delivery = createDelivery({ runs, worlds, commit, askMessaging, calls, now, logger })
  const wakeRun = createWakeRun({ worlds, commit, askMessaging, now, logger })

  const countRuns = createCountRuns(platform)
  const within = createShares(workspaceAtOnce)

  /** Finds runs of a lane that have work. Where there are many, workspaces with few do not wait behind the others. */
  async function pendingOf(lane: number, time: Date, without: readonly string[]): Promise<RunRecord[]> {
    const first = await runs.pending(lane, time, batchSize, without)
    if (first.length < batchSize) return first
    const busy = new Set([...without, ...first.map(({ workspaceId }) => workspaceId)])
    return [...first, ...(await runs.pending(lane, time, batchSize, [...busy]))]
  }

  /**
   * Delivers what stored runs have to do, without the detour over their lanes: those find what has not been done at the end of the lease,
   * because this process is slow, or has died.
   */
  async function deliverLeased(scope: WorkspaceScope, leased: readonly RunRecord[], leaseEnds: number): Promise<void> {
    if (leased.length === 0) return
    for (const { kind, flowId } of leased) tellPages(scope.workspaceId, kind, flowId)
    let left = leased.length
    const delivered = runs.asStored(scope, leased).map((run) =>
      within(run.workspaceId, async () => {
        if ((await now()) < leaseEnds) await delivery.deliver(run)
      })
        .catch((error: unknown) => logger.warn({ err: error, runId: run.id }, 'a run could not be delivered at once'))
        .finally(() => {
          left -= 1
        }),
    )
    const all = Promise.all(delivered)
    for (let before = leased.length + 1; left > 0 && left < before; ) {
      before = left
      await Promise.race([all, wait(patienceMs, undefined, { ref: false })])
    }
  }

  /** Works on the runs of a lane; those of workspaces that are being deleted stand still. @returns whether there may be more. */
  async function drain(lane: number): Promise<boolean> {
    const time = new Date(await now())
    const without = await closed()
    const due = await runs.due(lane, time, batchSize, without)
    await inTurns(due, wakeRun)
    const pending = await pendingOf(lane, new Date(await now()), without)
    const taken = [...Map.groupBy(pending, ({ workspaceId }) => workspaceId).values()]
      .flatMap((ofOne) => ofOne.slice(0, workspaceInLane))
      .slice(0, atOnce)
    await Promise.all(taken.map((run) => within(run.workspaceId, () => delivery.deliver(run))))
    return due.length === batchSize || taken.length < pending.length
  }

  return {
    worlds,
    tell,
    /** Tells open pages of a workflow that something about its runs has changed. */
    tellPages: ({ workspaceId }: WorkspaceScope, flowId: string) => tellPages(workspaceId, 'workflow', flowId),
    deliverLeased,
    /** Gives a run the result of a call. */
    giveAnswer: createGiveAnswer({ runs, worlds, commit, askMessaging, now }),
    drain,
    /** Wakes the lanes of runs that are due. */
    wakeDue: async (): Promise<void> => {
      const due = await runs.dueLanes(new Date(await now()), await closed())
      if (due.length > 0) await lanes.wake(due)
    },
    /** Returns the time since which the oldest work of some lanes waits: a delivery that has failed waits since its first attempt. */
    oldestPendingAt: async (pending: readonly number[]): Promise<Date | undefined> => {
      const later = new Date(await now())
      const without = await closed()
      const oldest = await Promise.all([
        ...pending.map((lane) => runs.oldestRetriedAt(lane, without)),
        ...pending.map(async (lane) => (await runs.pending(lane, later, 1, without))[0]?.retryAt),
      ])
      return oldest.filter((time) => time !== undefined).sort((left, right) => Number(left) - Number(right))[0]
    },
    /** Returns the time at which the first of the waits was over that nothing has followed yet. */
    oldestWaitEndAt: async () => runs.oldestDueAt(new Date(await now()), await closed()),
    replay: createReplayRuns({ runs, inputs, flows, askMessaging }),
    retry: createRetryRun({ ...platform, runs, worlds, attention, now, tell }),
    service: createRunsService({ ...platform, runs, worlds, attention, now, tell, requireFlow: flows.requireFlow }),
    figuresOf: createRunFigures(mongo),
    requireFlow: flows.requireFlow,
    countsOf: createShowCounts(mongo),
    /** Adds what is new to the counts of nodes. */
    count: async (): Promise<void> => {
      while (await countRuns());
    },
  }
}

/** Milliseconds between two reloads of a page that shows a flow. */
const hintPauseMs = 500

/** Notifies open pages that the runs of a flow have changed, once for changes in quick succession. */
function createTellPages({ publish }: Pick<Platform, 'publish'>) {
  const waiting = new Set<string>()
  return (workspaceId: string, kind: FlowKind, flowId: string): void => {
    const key = `${workspaceId} ${flowId}`
    if (waiting.has(key)) return
    waiting.add(key)
    const tell = () => {
      waiting.delete(key)
      const hint: AutomationHint = { kind, id: flowId, runs: true }
      void publish(workspaceId, 'automation', hint)
    }
    setTimeout(tell, hintPauseMs).unref()
  }
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += atOnce)
    await Promise.all(items.slice(start, start + atOnce).map(work))
}

/** Limits how often the work of one workspace runs at once; the rest waits for its turn. */
function createShares(max: number) {
  const running = new Map<string, number>()
  const waiting = new Map<string, (() => void)[]>()
  return async (workspaceId: string, work: () => Promise<void>): Promise<void> => {
    const count = running.get(workspaceId) ?? 0
    if (count < max) running.set(workspaceId, count + 1)
    // Work that ends hands its place to the next.
    else await new Promise<void>((resolve) => waiting.set(workspaceId, [...(waiting.get(workspaceId) ?? []), resolve]))
    try {
      await work()
    } finally {
      const [next, ...rest] = waiting.get(workspaceId) ?? []
      if (rest.length > 0) waiting.set(workspaceId, rest)
      else waiting.delete(workspaceId)
      const left = (running.get(workspaceId) ?? 1) - 1
      if (next) next()
      else if (left > 0) running.set(workspaceId, left)
      else running.delete(workspaceId)
    }
  }
}
