import { type AuditRow, maxAuditRows } from '@parley/contracts/account/audit'
import { Types } from 'mongoose'
import { auditEntries, eachWaitingWorkspace, toAuditRow } from './audit-log.ts'
import type { ServiceConnection } from './mongo.ts'

/**
 * Hands the audit entries of a service to the one that has the chain: each at least once, and removed here once it is taken.
 * @param deliver throws where the entries were not taken.
 * @returns a function that hands over all that waits.
 */
export function createAuditForwarder(
  connection: ServiceConnection,
  deliver: (workspaceId: string, entries: readonly AuditRow[]) => Promise<void>,
): () => Promise<void> {
  const entries = auditEntries(connection)

  async function forwardOf(workspaceId: string): Promise<void> {
    const fresh = { workspaceId: new Types.ObjectId(workspaceId), fresh: true as const }
    for (let found = maxAuditRows; found === maxAuditRows; ) {
      const next = await entries.find(fresh).sort({ _id: 1 }).limit(maxAuditRows).hint('fresh').toArray()
      if (next.length === 0) return
      await deliver(workspaceId, next.map(toAuditRow))
      await entries.deleteMany({ _id: { $in: next.map(({ _id }) => _id) } })
      found = next.length
    }
  }

  return () => eachWaitingWorkspace(connection, forwardOf)
}
