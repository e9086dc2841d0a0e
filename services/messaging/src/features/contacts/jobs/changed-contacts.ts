import type { SessionOption } from '@parley/service-kit/data/collection-types'
import { keptMs } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { Schema } from 'mongoose'

/** A contact that a job has changed, and what an undo needs of it. */
export interface ChangedContact {
  readonly id: string
  /** Its `editedVersion` after the change. */
  readonly version: number
  /** Its tags before. */
  readonly tags: readonly string[]
}

/** Those of one step. */
interface BatchRecord {
  readonly id: string
  readonly workspaceId: string
  readonly jobId: string
  readonly batch: number
  readonly contacts: readonly ChangedContact[]
  readonly expiresAt: Date
}

const schema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    jobId: { type: Schema.Types.ObjectId, required: true },
    batch: { type: Number, required: true },
    contacts: { type: Schema.Types.Mixed, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)

/** A change can be undone for as long as its job is kept, which counts from its end. */
const longestRunMs = 30 * 86_400_000

export type ChangedContacts = ReturnType<typeof createChangedContacts>

/** What jobs have changed, batch by batch, written in the transaction of the change. */
export function createChangedContacts(connection: ServiceConnection) {
  const batches = workspaceCollection<BatchRecord>({ connection, name: 'changedContacts', schema })
  return {
    add: (
      scope: WorkspaceScope,
      fields: Pick<BatchRecord, 'jobId' | 'batch' | 'contacts'>,
      { session }: Pick<Tx, 'session'>,
    ): Promise<void> =>
      batches(scope).insertPlain([{ ...fields, expiresAt: new Date(Date.now() + longestRunMs + keptMs) }], { session }),
    /** The first batch from this number on. */
    from: (scope: WorkspaceScope, jobId: string, batch: number, options: SessionOption = {}) =>
      batches(scope).findOne({ jobId, batch: { $gte: batch } }, { ...options, sort: { batch: 1 }, hint: 'batch' }),
  }
}
