import type { Job } from '@parley/contracts/platform/jobs'
import { type Connection, Schema } from 'mongoose'

/** A job as it is stored. While it is to be worked on it has a lease; once that has expired another worker may take it. */
export interface JobRecord {
  readonly id: string
  readonly workspaceId: string
  readonly kind: string
  readonly state: Job['state']
  readonly total: number
  readonly done: number
  readonly failed: number
  readonly result: Record<string, unknown> | null
  readonly startedBy: string | null
  /** Input of the job, in the shape of its kind. */
  readonly input: unknown
  /** Position where the work continues; `null` before the first step. */
  readonly checkpoint: unknown
  /** Attempts since its last checkpoint. */
  readonly attempts: number
  /** Error of the last attempt, while it has not been made good. */
  readonly error?: string
  readonly leaseOwner?: string
  readonly leaseEndsAt?: Date
  readonly expiresAt: Date
  readonly version: number
  readonly createdAt: Date
}

const count = { type: Number, required: true, default: 0 }

export const jobRecordSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    kind: { type: String, required: true, maxlength: 60 },
    state: { type: String, required: true },
    total: count,
    done: count,
    failed: count,
    result: { type: Schema.Types.Mixed, default: null },
    startedBy: { type: Schema.Types.ObjectId, default: null },
    input: { type: Schema.Types.Mixed, default: null },
    checkpoint: { type: Schema.Types.Mixed, default: null },
    attempts: count,
    error: { type: String, maxlength: 500 },
    leaseOwner: String,
    leaseEndsAt: Date,
    expiresAt: { type: Date, required: true },
    version: Number,
  },
  // An empty object in the input has a meaning: a filter that everything matches.
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw', minimize: false },
)

/** Creates the indexes of a service that has jobs; part of a migration. Safe to run again. */
export async function createJobIndexes(db: NonNullable<Connection['db']>): Promise<void> {
  const jobs = db.collection('jobs')
  const leased = { partialFilterExpression: { leaseEndsAt: { $exists: true } } }
  await jobs.createIndex({ leaseEndsAt: 1 }, { ...leased, name: 'pending' })
  await jobs.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0, name: 'expiry' })
}

/** Index by which operators find failed jobs. Safe to run again. */
export async function createFailedJobsIndex(db: NonNullable<Connection['db']>): Promise<void> {
  const failed = { partialFilterExpression: { state: 'failed' } }
  await db.collection('jobs').createIndex({ kind: 1, createdAt: -1 }, { ...failed, name: 'failed' })
}

/** Returns a job in the shape of its endpoint's answer. */
export const toJob = (record: JobRecord): Job => ({
  id: record.id,
  kind: record.kind,
  state: record.state,
  total: record.total,
  done: record.done,
  failed: record.failed,
  result: record.result,
  startedBy: record.startedBy,
  createdAt: record.createdAt.toISOString(),
  expiresAt: record.expiresAt.toISOString(),
  version: record.version,
})
