import type { NamedKey } from '@parley/service-kit/core/key-ring'
import type { Logger } from '@parley/service-kit/core/logger'
import { auditEntries } from '@parley/service-kit/data/audit-log'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { inTransaction } from '@parley/service-kit/data/transaction'
import { auditHeads, storedId } from './audit.model.ts'
import { chainStart, checkpointAt, createChainCheck } from './chain.ts'
import type { createAuditRetention } from './retention.ts'

const batchSize = 500
const dayMs = 86_400_000

/**
 * Removes entries whose time is over from the beginning of their chain, and seals where the rest begins. A part that was altered
 * stays: it is evidence.
 * @param ring its first key seals the checkpoint.
 * @returns a function that prunes one workspace, and returns how many entries it has removed.
 */
export function createPruner(
  connection: ServiceConnection,
  ring: readonly NamedKey[],
  {
    retentionOf,
    logger,
    now = Date.now,
  }: {
    retentionOf: ReturnType<typeof createAuditRetention>['read']
    logger: Pick<Logger, 'error'>
    now?: () => number
  },
) {
  const [key] = ring
  if (!key) throw new Error('the audit log needs a key')
  const entries = auditEntries(connection)
  const heads = auditHeads(connection)

  const pruneBatch = (workspaceId: string, before: Date) =>
    inTransaction(connection, async ({ session }) => {
      const own = { workspaceId: storedId(workspaceId) }
      const head = await heads.findOne({ _id: own.workspaceId }, { session })
      if (!head) return 0
      const start = head.from ?? { seq: 0, hash: chainStart }
      const next = await entries
        .find({ ...own, seq: { $gt: start.seq } }, { session })
        .sort({ seq: 1 })
        .limit(batchSize)
        .hint('chain')
        .toArray()
      const end = next.findIndex(({ at }) => at >= before)
      const over = end === -1 ? next : next.slice(0, end)
      if (over.length === 0) return 0
      const check = createChainCheck(ring, start)
      for (const entry of over) check.add(entry)
      const last = check.head()
      const [fault] = check.finish(last)
      if (fault) {
        logger.error({ workspaceId, ...fault }, 'the audit log was altered: entries whose time is over are kept')
        return 0
      }
      await heads.updateOne(
        { _id: own.workspaceId },
        { $set: { from: checkpointAt(workspaceId, last, key) } },
        { session },
      )
      await entries.deleteMany({ ...own, seq: { $gt: start.seq, $lte: last.seq } }, { session, hint: 'chain' })
      return over.length
    })

  return async function prune(workspaceId: string): Promise<number> {
    const { days } = await retentionOf({ workspaceId })
    const before = new Date(now() - days * dayMs)
    let total = 0
    for (let removed = batchSize; removed === batchSize; total += removed)
      removed = await pruneBatch(workspaceId, before)
    return total
  }
}
