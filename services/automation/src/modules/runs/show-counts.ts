import type { FlowCounts } from '@parley/contracts/automation/publication'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { runCountsOf } from './count-runs.ts'

const dayMs = 86_400_000

/** Row of the sums of a flow's counts. */
interface Sum {
  readonly _id: { readonly nodeId: string; readonly what: string }
  readonly count: number
}

/** Adds up the visits of a flow's nodes by days: what it reads does not grow with the number of runs. */
export function createShowCounts(connection: ServiceConnection) {
  const counts = runCountsOf(connection)

  /** @param number version; absent for all. @param days days in UTC on which the runs began, today included. */
  return async (
    scope: WorkspaceScope,
    flowId: string,
    { days, number }: { days: number; number?: number | undefined },
  ): Promise<FlowCounts> => {
    const since = new Date((Math.floor(Date.now() / dayMs) - days + 1) * dayMs)
    const sums = await counts(scope).aggregate<Sum>(
      [
        { $match: { flowId, day: { $gte: since }, ...(number !== undefined && { number }) } },
        { $group: { _id: { nodeId: '$nodeId', what: '$what' }, count: { $sum: '$count' } } },
      ],
      { hint: 'visits' },
    )
    const nodes = [...Map.groupBy(sums, ({ _id }) => _id.nodeId)].map(([nodeId, rows]) => {
      const countOf = (what: string) => rows.find(({ _id }) => _id.what === what)?.count ?? 0
      const left = rows
        .filter(({ _id }) => _id.what.startsWith(leftPrefix))
        .map(({ _id, count }) => ({ branch: _id.what.slice(leftPrefix.length), count }))
      const [entered, dropped, failed] = [countOf('entered'), countOf('dropped'), countOf('failed')]
      const gone = left.reduce((sum, { count }) => sum + count, dropped)
      return { nodeId, entered, left, dropped, failed, here: Math.max(0, entered - gone) }
    })
    return { since: since.toISOString(), nodes }
  }
}

const leftPrefix = 'left:'
