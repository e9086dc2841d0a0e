import { createFailedJobsIndex } from '@parley/service-kit/data/job-record'
import type { Connection } from 'mongoose'

/** Index by which operators find failed jobs. */
export const up = (db: NonNullable<Connection['db']>): Promise<void> => createFailedJobsIndex(db)
