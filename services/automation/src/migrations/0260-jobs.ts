import { createFailedJobsIndex, createJobIndexes } from '@parley/service-kit/data/job-record'
import type { Connection } from 'mongoose'

/** Makes the collection of jobs, which transactions find made, and the index by which those of a flow are listed. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await createJobIndexes(db)
  await createFailedJobsIndex(db)
  await db.collection('jobs').createIndex({ workspaceId: 1, 'input.flowId': 1, _id: -1 }, { name: 'flow' })
}
