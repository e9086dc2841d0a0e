import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type RunRecord, runSchema } from './runs.model.ts'

/** Figures of a flow's runs, for its card. */
export interface FlowFigures {
  /** Runs that have not ended. */
  readonly running: number
  /** Runs begun in the last 30 days. */
  readonly begun: number
  /** Those of them that have ended. */
  readonly ended: number
  /** Completed ones after which no person wrote within 24 hours. */
  readonly resolved: number
  /** Completed ones, and those that gave their conversation to people. */
  readonly succeeded: number
}

const shownDays = 30

/** Counts the runs of flows by an index that holds all the fields. */
export function createRunFigures(connection: ServiceConnection) {
  const runs = workspaceCollection<RunRecord>({ connection, name: 'runs', schema: runSchema })

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
    const since = new Date(Math.min(Date.now(), toldAt?.getTime() ?? Infinity) - shownDays * 86_400_000)
    const [running, begun] = await Promise.all([
      runs(scope).aggregate<{ _id: string; count: number }>(
        [{ $match: { flowId: { $in: flowIds }, live: true } }, { $group: { _id: '$flowId', count: { $sum: 1 } } }],
        { hint: 'running' },
      ),
      runs(scope).aggregate<{ _id: { flowId: string; outcome?: string; followedUp?: boolean }; count: number }>(
        [
          { $match: { flowId: { $in: flowIds }, createdAt: { $gte: since } } },
          {
            $group: {
              _id: { flowId: '$flowId', outcome: '$outcome', followedUp: '$followedUp' },
              count: { $sum: 1 },
            },
          },
        ],
        { hint: 'figures' },
      ),
    ])
    const live = new Map(running.map(({ _id, count }) => [_id, count]))
    const rows = Map.groupBy(begun, ({ _id }) => _id.flowId)
    return new Map(
      [...new Set([...live.keys(), ...rows.keys()])].map((flowId) => {
        const own = rows.get(flowId) ?? []
        const count = (fits: (of: (typeof own)[number]['_id']) => boolean) => sum(own.filter(({ _id }) => fits(_id)))
        const figures = {
          running: live.get(flowId) ?? 0,
          begun: sum(own),
          ended: count(({ outcome }) => typeof outcome === 'string'),
          resolved: count(({ outcome, followedUp }) => outcome === 'completed' && followedUp !== true),
          succeeded: count(({ outcome }) => outcome === 'completed' || outcome === 'handed_over'),
        }
        return [flowId, figures]
      }),
    )
  }
}

const sum = (rows: readonly { count: number }[]): number => rows.reduce((total, { count }) => total + count, 0)
