import type { NamedKey } from '@parley/service-kit/core/key-ring'
import { auditEntries, eachWaitingWorkspace } from '@parley/service-kit/data/audit-log'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { inTransaction } from '@parley/service-kit/data/transaction'
import { auditHeads, storedId } from './audit.model.ts'
import { chainStart, hashAfter } from './chain.ts'

const batchSize = 500

/**
 * Gives new entries their place in the chain of their workspace. Several may work at once, and be killed at any moment: two that seal the
 * same workspace conflict on its head, and one of them begins again.
 * @param ring its first key seals.
 * @returns a function that seals all that waits, and returns how many entries that were.
 */
export function createSealer(connection: ServiceConnection, [key]: readonly NamedKey[]): () => Promise<number> {
  if (!key) throw new Error('the audit log needs a key')
  const entries = auditEntries(connection)
  const heads = auditHeads(connection)

  const sealBatch = (workspaceId: ReturnType<typeof storedId>) =>
    inTransaction(connection, async ({ session }) => {
      const fresh = { workspaceId, fresh: true as const }
      const found = await entries.find(fresh, { session }).sort({ _id: 1 }).limit(batchSize).hint('fresh').toArray()
      if (found.length === 0) return 0
      let { seq, hash } = (await heads.findOne({ _id: workspaceId }, { session })) ?? { seq: 0, hash: chainStart }
      const writes = found.map((entry) => {
        seq += 1
        hash = hashAfter(hash, entry, key)
        const update = { $set: { seq, hash, keyId: key.id }, $unset: { fresh: '' as const } }
        return { updateOne: { filter: { _id: entry._id, fresh: true as const }, update } }
      })
      await heads.updateOne({ _id: workspaceId }, { $set: { seq, hash } }, { session, upsert: true })
      const { modifiedCount } = await entries.bulkWrite(writes, { session })
      if (modifiedCount !== found.length) throw new Error('entries were sealed by another')
      return found.length
    })

  return async function sealAll(): Promise<number> {
    let total = 0
    await eachWaitingWorkspace(connection, async (workspaceId) => {
      for (let sealed = batchSize; sealed === batchSize; total += sealed)
        sealed = await sealBatch(storedId(workspaceId))
    })
    return total
  }
}
