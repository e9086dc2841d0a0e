import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Platform, Session } from '../../platform/platform.ts'
import { plus, tallyNow, tallyOf } from './flow-days.model.ts'
import { createFlowDays } from './flow-days.ts'
import { type RunCountRecord, runCountSchema } from './run-counts.model.ts'
import { pathOf } from './run-filter.ts'
import { type RunRecord, runSchema } from './runs.model.ts'
import { type StepRecord, stepSchema } from './steps.model.ts'

const maxSteps = 2000
const maxRuns = 500

type Visit = Pick<RunCountRecord, 'flowId' | 'number' | 'nodeId' | 'what'> & { readonly startedAt: Date }
type Counted = Pick<RunRecord, 'id' | 'createdAt' | 'steps' | 'live' | 'path'>

/** The counts of a workspace's runs. */
export const runCountsOf = (connection: ServiceConnection) =>
  workspaceCollection<RunCountRecord>({ connection, name: 'runCounts', schema: runCountSchema, bookkeeping: true })

/**
 * Adds steps and ends of runs that are not counted yet to the counts of their nodes, and starts and ends to the days of their flow, each in the transaction that marks it as counted: a
 * worker that dies counts nothing twice.
 */
export function createCountRuns({ mongo, transaction }: Pick<Platform, 'mongo' | 'transaction'>) {
  const ofRuns = { connection: mongo, name: 'runs', schema: runSchema }
  const ofSteps = { connection: mongo, name: 'steps', schema: stepSchema }
  const runs = workspaceCollection<RunRecord>(ofRuns)
  const steps = workspaceCollection<StepRecord>(ofSteps)
  const uncountedRuns = scopedCollection<{ uncounted: 'new' }, RunRecord>(ofRuns, (scope) => ({ ...scope }))
  const uncountedSteps = scopedCollection<{ uncounted: 'new' }, StepRecord & { workspaceId: string }>(
    ofSteps,
    (scope) => ({
      ...scope,
    }),
  )
  const counts = runCountsOf(mongo)
  const flowDays = createFlowDays(mongo)

  /** Counts what is new in all workspaces. @returns whether there may be more. */
  async function countRuns(): Promise<boolean> {
    const newSteps = await uncountedSteps({ uncounted: 'new' })
      .find({})
      .sort({ _id: 1 })
      .limit(maxSteps)
      .hint('uncounted')
    let isMoved = false
    for (const [workspaceId, own] of Map.groupBy(newSteps, (step) => step.workspaceId))
      isMoved = (await transaction((tx) => countSteps({ workspaceId }, own, tx))) || isMoved
    // A run is counted as ended once its steps are: they were written before.
    const ended = await uncountedRuns({ uncounted: 'new' }).find({}).sort({ _id: 1 }).limit(maxRuns).hint('uncounted')
    for (const [workspaceId, own] of Map.groupBy(ended, (run) => run.workspaceId))
      isMoved = (await transaction((tx) => countEnds({ workspaceId }, own, tx))) || isMoved
    const hasMoreStarts = await flowDays.fold(transaction)
    return hasMoreStarts || (isMoved && (newSteps.length === maxSteps || ended.length === maxRuns))
  }

  async function countSteps(scope: WorkspaceScope, written: readonly StepRecord[], tx: Session): Promise<boolean> {
    const ids = [...new Set(written.map(({ runId }) => runId))]
    const known = new Map((await runsOf(scope, ids, tx)).map((run) => [run.id, run]))
    const still = { _id: { $in: written.map(({ id }) => id) }, uncounted: 'new' as const }
    const left = new Set((await steps(scope).find(still).select('_id').session(tx.session)).map(({ id }) => id))
    const ready = written.filter(({ id, runId, n }) => {
      if (!left.has(id)) return false
      const run = known.get(runId)
      // A step of a live run that is not stored with it yet may be written once more.
      return !run?.live || n < run.steps
    })
    if (ready.length === 0) return false
    const visits = ready.flatMap((step): Visit[] => {
      const run = known.get(step.runId)
      // Runs of older versions have no path, and what was given up with its run is no part of it.
      if (!run?.path || step.n >= run.steps) return []
      const { flowId, number, nodeId, entered, left, outcome } = step
      const visit = (what: string) => ({ flowId, number, nodeId, what, startedAt: run.createdAt })
      return [
        ...(entered ? [visit('entered')] : []),
        ...(left == null ? [] : [visit(`left:${left}`)]),
        ...(outcome === 'refused' ? [visit('failed')] : []),
      ]
    })
    await add(scope, visits, tx)
    const { modifiedCount } = await steps(scope).updateMany(
      { _id: { $in: ready.map(({ id }) => id) }, uncounted: 'new' },
      { $unset: { uncounted: 1 } },
      { session: tx.session },
    )
    if (modifiedCount !== ready.length) throw new Error('these steps were counted by another worker')
    return true
  }

  const runsOf = (scope: WorkspaceScope, ids: readonly string[], { session }: Session): PromiseLike<Counted[]> =>
    runs(scope)
      .find({ _id: { $in: ids } })
      .select('createdAt steps live path')
      .session(session)

  /** Counts ends, and those at a node that the run had not left. */
  async function countEnds(scope: WorkspaceScope, ended: readonly RunRecord[], tx: Session): Promise<boolean> {
    const still = { _id: { $in: ended.map(({ id }) => id) }, uncounted: 'new' as const }
    const left = await runs(scope)
      .find(still)
      .select('flowId createdAt steps path outcome followedUp talliedAs')
      .session(tx.session)
    const ids = left.map(({ id }) => id)
    const moves = await steps(scope)
      .find({ runId: { $in: ids }, $or: [{ entered: true }, { left: { $exists: true } }] })
      .select('runId n flowId number nodeId left uncounted')
      .hint('run')
      .limit(maxRuns * 1000)
      .session(tx.session)
    const last = new Map<string, StepRecord>()
    const waiting = new Set<string>()
    for (const move of moves) {
      if (move.uncounted) waiting.add(move.runId)
      if ((last.get(move.runId)?.n ?? -1) < move.n) last.set(move.runId, move)
    }
    const ready = left.filter(({ id }) => !waiting.has(id))
    if (ready.length === 0) return false
    const drops = ready.flatMap((run) => {
      // Its end was counted before a person wrote after it.
      if (run.talliedAs !== undefined && run.talliedAs !== 'begun') return []
      const step = run.path && last.get(run.id)
      return step && step.n < run.steps && step.left == null ? [{ run, step }] : []
    })
    const visits = drops.map(({ run, step: { flowId, number, nodeId } }) => ({
      flowId,
      number,
      nodeId,
      what: 'dropped',
      startedAt: run.createdAt,
    }))
    await add(scope, visits, tx)
    const tallies = ready.map(({ flowId, createdAt, talliedAs, ...run }) => ({
      flowId,
      createdAt,
      tally: plus(tallyOf(tallyNow(run)), tallyOf(talliedAs), -1),
    }))
    await flowDays.add(scope, tallies, tx)
    const droppedAt = new Map(drops.map(({ run, step }) => [run.id, step.nodeId]))
    await runs(scope)
      .bulkWrite(
        ready.map((run) => {
          const nodeId = droppedAt.get(run.id)
          const path = nodeId === undefined ? {} : { $addToSet: { path: pathOf.dropped(nodeId) } }
          const update = { $set: { talliedAs: tallyNow(run) }, $unset: { uncounted: 1 as const }, ...path }
          return { updateOne: { filter: { _id: run.id, uncounted: 'new' }, update } }
        }),
        { session: tx.session },
      )
      .then(({ matchedCount }) => {
        if (matchedCount !== ready.length) throw new Error('these runs were counted by another worker')
      })
    return true
  }

  async function add(scope: WorkspaceScope, visits: readonly Visit[], { session }: Session): Promise<void> {
    if (visits.length === 0) return
    const day = (at: Date) => Math.floor(at.getTime() / dayMs) * dayMs
    const keyOf = ({ flowId, number, nodeId, what, startedAt }: Visit) =>
      [day(startedAt), flowId, number, nodeId, what].join('\n')
    const groups = [...Map.groupBy(visits, keyOf)].sort(([left], [right]) => (left < right ? -1 : 1))
    await counts(scope).bulkWrite(
      groups.flatMap(([, group]) => {
        const [first] = group
        if (!first) return []
        const { startedAt, ...visit } = first
        const filter = { ...visit, day: new Date(day(startedAt)) }
        return [{ updateOne: { filter, update: { $inc: { count: group.length } }, upsert: true } }]
      }),
      { session },
    )
  }

  return countRuns
}

const dayMs = 86_400_000
