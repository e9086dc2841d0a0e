import type { NewEvent } from '@parley/contracts/events'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { Tx } from '@parley/service-kit/data/transaction'

/** Tells whoever shows jobs that this one has begun or ended. */
export function emitJobChanged({ id, workspaceId, startedBy }: JobRecord, tx: Pick<Tx, 'emit'>): void {
  const by: NewEvent['by'] = startedBy === null ? { kind: 'system' } : { kind: 'user', id: startedBy }
  tx.emit({ workspaceId, by, type: 'contact_job.changed', data: { jobId: id } })
}
