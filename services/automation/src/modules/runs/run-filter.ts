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
  ...(show === 'held' && { status: 'held' as const, live: true as const }),
  // One that has an outcome has ended: its index alone then says how many there are.
  ...(show === 'ended' && outcome === undefined && { status: 'ended' as const }),
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

/** Returns the index of runs of a flow that a person has chosen, newest first. */
export function indexOf({ contact, visited, dropped, outcome, show }: RunFilter): string {
  if (contact !== undefined) return 'contact'
  if ((visited ?? dropped) !== undefined) return 'path'
  if (outcome !== undefined) return 'outcome'
  return show === 'live' || show === 'held' ? 'newest-live' : newestRuns
}
export const newestRuns = 'newest'

const placeOf = (nodeId: string, branch: string | undefined): string =>
  branch === undefined ? pathOf.entered(nodeId) : pathOf.left(nodeId, branch)

/** Names of the places that a run has been at, by which lists find it. */
export const pathOf = {
  entered: (nodeId: string) => nodeId,
  left: (nodeId: string, branch: string) => `${nodeId}>${branch}`,
  dropped: (nodeId: string) => `${nodeId}!`,
}
