import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Session } from '../../platform/platform.ts'
import type { NodesOfVersion, RunsOfFlows, WaitingRuns } from '../flows/runs-of-flows.ts'
import { ending, type RunsRepository } from './runs.repository.ts'

/** Operations of flows on their runs, in the transaction of their own change. */
export const createRunsOfFlows = ({ collection }: Pick<RunsRepository, 'collection'>): RunsOfFlows => ({
  countRunning: async (scope: WorkspaceScope, botId: string): Promise<ReadonlyMap<number, number>> => {
    const rows = await collection(scope).aggregate<{ _id: number; count: number }>(
      [{ $match: { flowId: botId, live: true } }, { $group: { _id: '$number', count: { $sum: 1 } } }],
      { hint: 'running' },
    )
    return new Map(rows.map(({ _id, count }) => [_id, count]))
  },
  countWaiting: async (scope: WorkspaceScope, botId: string): Promise<WaitingRuns[]> => {
    const rows = await collection(scope).aggregate<{ _id: Omit<WaitingRuns, 'count'>; count: number }>(
      [
        { $match: { flowId: botId, live: true, status: 'waiting' } },
        { $group: { _id: { number: '$number', nodeId: '$state.nodeId' }, count: { $sum: 1 } } },
      ],
      { hint: 'running' },
    )
    return rows.map(({ _id, count }) => ({ ..._id, count }))
  },
  isRunning: async (scope: WorkspaceScope): Promise<boolean> =>
    (await collection(scope).findOne({ live: true }, { hint: 'running' })) !== null,
  move: async (
    scope: WorkspaceScope,
    botId: string,
    { from, to, nodeIds }: NodesOfVersion & { readonly to: number },
    { session }: Session,
  ): Promise<number> => {
    const { modifiedCount } = await collection(scope).updateMany(
      { flowId: botId, number: from, live: true, status: 'waiting', 'state.nodeId': { $in: nodeIds } },
      // The node at which they wait was entered on the version that they leave.
      [{ $set: { enteredOn: { $ifNull: ['$enteredOn', '$number'] }, number: to } }],
      { session },
    )
    return modifiedCount
  },
  end: async (
    scope: WorkspaceScope,
    botId: string,
    { reason, except }: { readonly reason: string; readonly except?: number },
    { session }: Session,
  ): Promise<number> => {
    const { modifiedCount } = await collection(scope).updateMany(
      { flowId: botId, live: true, ...(except !== undefined && { number: { $ne: except } }) },
      ending(reason),
      { session },
    )
    return modifiedCount
  },
})
