import type { RunFilter } from '@parley/contracts/automation/run-endpoints'
import type { Filter } from '@parley/service-kit/data/collection-types'
import { isId, newId } from '@parley/service-kit/data/plain'
import type { RunRecord } from './runs.model.ts'

/** Returns the condition for the runs of a flow that a person has chosen. */
export const filterOf = (
  flowId: string,
  { outcome, show, nodeId, number, code, contact, from, to, visited, branch, dropped }: RunFilter,
): Filter<RunRecord> => ({
  flowId,
  ...(outcome !== undefined && { outcome }),
  ...(show === 'live' && { live: true as const }),
  ...(show === 'held' && { status: 'held' as const }),
  ...(show === 'ended' && { status: 'ended' as const }),
  ...(number !== undefined && { number }),
  ...(code !== undefined && { code }),
  ...(contact !== undefined && { contactId: isId(contact) ? contact : newId() }),
  ...(visited !== undefined && { path: placeOf(visited, branch) }),
  ...(dropped !== undefined && { path: pathOf.dropped(dropped) }),
  ...(nodeId !== undefined && { 'state.nodeId': nodeId }),
  ...((from !== undefined || to !== undefined) && {
    createdAt: { ...(from !== undefined && { $gte: new Date(from) }), ...(to !== undefined && { $lt: new Date(to) }) },
  }),
})

const placeOf = (nodeId: string, branch: string | undefined): string =>
  branch === undefined ? pathOf.entered(nodeId) : pathOf.left(nodeId, branch)

/** Names of the places that a run has been at, by which lists find it. */
export const pathOf = {
  entered: (nodeId: string) => nodeId,
  left: (nodeId: string, branch: string) => `${nodeId}>${branch}`,
  dropped: (nodeId: string) => `${nodeId}!`,
}
