import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { Tx } from '@parley/service-kit/data/transaction'
import { actorOf } from '../../../platform/actor-of.ts'

/** Announces to pages that show jobs that this one has begun or ended. */
export function emitJobChanged({ id, workspaceId, startedBy }: JobRecord, tx: Pick<Tx, 'emit'>): void {
  tx.emit({ workspaceId, by: actorOf(startedBy), type: 'contact_job.changed', data: { jobId: id } })
}
