import type { Update } from '@parley/service-kit/data/collection-types'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import type { CampaignRecord } from '../campaigns.model.ts'
import type { Expected } from '../campaigns.repository.ts'

export type CommitIfUnchanged = ReturnType<typeof createCommitIfUnchanged<CampaignRecord, Expected>>

/** Records that are changed only as they were seen. */
interface Records<R, S> {
  /** @returns null where it is not as it was seen. */
  readonly change: (
    scope: WorkspaceScope,
    id: string,
    change: { expected: S; update: Update<R> },
    options: Pick<Tx, 'session'>,
  ) => Promise<R | null>
  readonly isStill: (scope: WorkspaceScope, id: string, expected: S) => Promise<boolean>
}

/**
 * Stores a worker's rows for a campaign or a draft, with the change to its record as the last write: until then a person's change
 * to the same record finds no conflict. Where a person or another worker was faster, nothing of the work is stored.
 */
export function createCommitIfUnchanged<R, S>({
  records,
  transaction,
}: {
  records: Records<R, S>
  transaction: RunInTransaction
}) {
  /** @returns the record as it is then, and what the work has returned; null where it is not as it was seen. */
  return async function commitIfUnchanged<T>(
    { id, workspaceId }: { readonly id: string; readonly workspaceId: string },
    { expected, update }: { expected: S; update: Update<R> | ((result: T) => Update<R>) },
    work: (tx: Tx) => Promise<T>,
  ): Promise<{ record: R; result: T } | null> {
    const scope = { workspaceId }
    try {
      return await transaction(async (tx) => {
        const result = await work(tx)
        const change = typeof update === 'function' ? update(result) : update
        const record = await records.change(scope, id, { expected, update: change }, tx)
        if (!record) throw new Overtaken()
        return { record, result }
      })
    } catch (error) {
      if (error instanceof Overtaken) return null
      // Another worker has stored the same. If the campaign has not moved on, the rows contradict it.
      if (isDuplicateKey(error) && !(await records.isStill(scope, id, expected))) return null
      throw error
    }
  }
}

/** Ends the transaction with nothing stored. */
class Overtaken extends Error {}
