import type { SessionOption } from '@parley/service-kit/data/collection-types'
import { keptMs } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type ChangedBatchRecord, changedBatchSchema } from './changed-contacts.model.ts'

/** A change can be undone for as long as its job is kept, which counts from its end. */
const maxRunMs = 30 * 86_400_000

/** Stores what jobs have changed, batch by batch, in the transaction of the change. */
export function createChangedContacts(connection: ServiceConnection) {
  const batches = workspaceCollection<ChangedBatchRecord>({
    connection,
    name: 'changedContacts',
    schema: changedBatchSchema,
  })
  return {
    add: (
      scope: WorkspaceScope,
      fields: Pick<ChangedBatchRecord, 'jobId' | 'batch' | 'contacts'>,
      { session }: Pick<Tx, 'session'>,
    ) => batches(scope).insertPlain([{ ...fields, expiresAt: new Date(Date.now() + maxRunMs + keptMs) }], { session }),
    /** The first batch from this number on. */
    from: (scope: WorkspaceScope, jobId: string, batch: number, options: SessionOption = {}) =>
      batches(scope).findOne({ jobId, batch: { $gte: batch } }, { ...options, sort: { batch: 1 }, hint: 'batch' }),
  }
}
