import type { RunFilter } from '@parley/contracts/automation/run-endpoints'
import type { Filter } from '@parley/service-kit/data/collection-types'
import { isId, newId } from '@parley/service-kit/data/plain'
import type { RunRecord } from './runs.model.ts'

/** Returns the condition for the runs of a flow that a person has chosen. */
export const filterOf = (
  flowId: string,
  { outcome, show, nodeId, number, code, contact, from, to }: RunFilter,
): Filter<RunRecord> => ({
  flowId,
  ...(outcome !== undefined && { outcome }),
  ...(show === 'live' && { live: true as const }),
  ...(show === 'held' && { status: 'held' as const }),
  ...(show === 'ended' && { status: 'ended' as const }),
  ...(number !== undefined && { number }),
  ...(code !== undefined && { code }),
  ...(contact !== undefined && { contactId: isId(contact) ? contact : newId() }),
  ...(nodeId !== undefined && { 'state.nodeId': nodeId }),
  ...((from !== undefined || to !== undefined) && {
    createdAt: { ...(from !== undefined && { $gte: new Date(from) }), ...(to !== undefined && { $lt: new Date(to) }) },
  }),
})
