import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { inSession } from '@parley/service-kit/data/session'
import { dayOf, noTally, plus, type Tally, tallyNow, tallyOf } from './flow-days.model.ts'
import { createFlowDays } from './flow-days.ts'
import { type RunRecord, runSchema } from './runs.model.ts'

/** Figures of a flow's runs, for its card. */
export interface FlowFigures extends Tally {
  /** Runs that have not ended. The other figures are of runs that began in the last 30 days. */
  readonly running: number
}

const shownDays = 30
/** Days after which a run has ended: `run-places`. */
const maxLifeDays = 61
const dayMs = 86_400_000

/** Row of the sums of a flow's days. */
interface Sum extends Tally {
  readonly _id: string
  readonly running: number
}
/** Ends that are part of no day yet. */
type Waiting = {
  readonly _id: { flowId: string; day: Date } & Pick<RunRecord, 'outcome' | 'followedUp' | 'talliedAs'>
} & {
  readonly count: number
}

/** Adds up the days of flows and what is not part of them yet: what it reads does not grow with the number of runs. */
export function createRunFigures(connection: ServiceConnection) {
  const runs = workspaceCollection<RunRecord>({ connection, name: 'runs', schema: runSchema })
  const { days } = createFlowDays(connection)

  /**
   * Flows without runs are missing.
   * @param toldAt moment of the sample whose flows these are: its figures continue from then, and do not age out of their days.
   */
  return async (
    scope: WorkspaceScope,
    flowIds: readonly string[],
    toldAt?: Date,
  ): Promise<ReadonlyMap<string, FlowFigures>> => {
    if (flowIds.length === 0) return new Map()
    const today = dayOf(new Date(Math.min(Date.now(), toldAt?.getTime() ?? Infinity)))
    const since = new Date(today.getTime() - (shownDays - 1) * dayMs)
    const alive = new Date(Math.min(since.getTime(), Date.now() - (maxLifeDays + 1) * dayMs))
    const shown = (field: keyof Tally) => ({ $sum: { $cond: [{ $gte: ['$day', since] }, `$${field}`, 0] } })
    // Reads one moment: an end moves from its run to its day.
    const [sums, waiting] = await inSession(connection, async (session) => [
      await days(scope).aggregate<Sum>(
        [
          { $match: { flowId: { $in: flowIds }, day: { $gte: alive } } },
          {
            $group: {
              _id: '$flowId',
              running: { $sum: { $subtract: ['$begun', '$ended'] } },
              begun: shown('begun'),
              ended: shown('ended'),
              resolved: shown('resolved'),
              succeeded: shown('succeeded'),
            },
          },
        ],
        { hint: 'days', session },
      ),
      await runs(scope).aggregate<Waiting>(
        [
          { $match: { flowId: { $in: flowIds }, uncounted: 'new' } },
          {
            $group: {
              _id: {
                flowId: '$flowId',
                day: { $dateTrunc: { date: '$createdAt', unit: 'day' } },
                outcome: '$outcome',
                followedUp: '$followedUp',
                talliedAs: '$talliedAs',
              },
              count: { $sum: 1 },
            },
          },
        ],
        { hint: 'uncounted-of', session },
      ),
    ])
    const figures = new Map<string, FlowFigures>(sums.map(({ _id, ...sum }) => [_id, sum]))
    for (const { _id, count } of waiting) {
      const { running = 0, ...known } = figures.get(_id.flowId) ?? (noTally as FlowFigures)
      const change = plus(plus(noTally, tallyOf(tallyNow(_id)), count), tallyOf(_id.talliedAs), -count)
      figures.set(_id.flowId, {
        ...(_id.day >= since ? plus(known, change) : known),
        running: running + change.begun - change.ended,
      })
    }
    return figures
  }
}
