import type { Job } from '@parley/contracts/platform/jobs'
import { Types } from 'mongoose'
import { errors } from '../core/errors.ts'
import type { Metrics } from '../core/metrics.ts'
import type { ActorContext } from '../http/context.ts'
import type { SessionOption } from './collection-types.ts'
import { type JobRecord, jobRecordSchema, toJob } from './job-record.ts'
import { fullConnection, type ServiceConnection } from './mongo.ts'
import { type WorkspaceScope, workspaceCollection } from './scoped-collection.ts'

/** Milliseconds after which unfinished jobs are deleted; finished ones go, with their files, after {@link keptMs}. */
const maxLifeMs = 30 * 86_400_000
export const keptMs = 7 * 86_400_000

/** Reference to a job, as a queue carries it. */
export interface JobReference {
  readonly id: string
  readonly workspaceId: string
}

/** A job that no attempt has brought to its end, as an operator sees it. */
export interface FailedJob extends JobReference {
  readonly kind: string
  readonly createdAt: Date
  readonly error: string
}

/** Job records of a service. `runJob` works on them. */
export function createJobRecords(connection: ServiceConnection) {
  const jobs = workspaceCollection<JobRecord>({ connection, name: 'jobs', schema: jobRecordSchema })

  async function find(scope: WorkspaceScope, id: string): Promise<JobRecord> {
    const job = await jobs(scope).findOne({ _id: id })
    if (!job) throw errors.notFound('There is no such job.')
    return job
  }

  async function stop(scope: WorkspaceScope, id: string): Promise<Job> {
    const cancelled = await jobs(scope).findOneAndUpdate(
      { _id: id, leaseEndsAt: { $exists: true } },
      {
        $set: { state: 'cancelled', expiresAt: new Date(Date.now() + keptMs) },
        $unset: { leaseOwner: 1, leaseEndsAt: 1 },
      },
    )
    if (!cancelled) throw errors.wrongState('This job has ended already.')
    return toJob(cancelled)
  }

  const allJobs = () => fullConnection(connection).collection('jobs')

  return {
    connection,
    collection: jobs,
    /** Creates a job that waits for a worker. Queue it after the commit; the sweep finds it if that fails. */
    create: (
      scope: WorkspaceScope,
      job: { _id?: string; kind: string; total: number; input: unknown; startedBy: string | null },
      options?: SessionOption,
    ): Promise<JobRecord> => {
      const now = Date.now()
      const life = { leaseEndsAt: new Date(now), expiresAt: new Date(now + maxLifeMs) }
      return jobs(scope).create({ ...job, ...life, state: 'waiting' }, options)
    },
    /** @throws `not_found`, also for a job of another workspace. */
    find: async (scope: WorkspaceScope, id: string): Promise<Job> => toJob(await find(scope, id)),
    /**
     * Stops a job: the step in hand is not taken over, what was done before stays.
     * @throws `wrong_state` for one that has ended; `forbidden` unless the caller has started it or may change the workspace.
     */
    cancel: async (ctx: WorkspaceScope & Pick<ActorContext, 'actor' | 'may'>, id: string): Promise<Job> => {
      const { startedBy } = await find(ctx, id)
      if (startedBy !== ctx.actor.id && !ctx.may('workspace:write')) throw errors.forbidden()
      return stop(ctx, id)
    },
    /** Cancels a job as `cancel` does, where whoever may start it may also stop it. */
    stop,
    /**
     * Returns jobs of all workspaces that no worker holds: a sweep queues them again, should the queue have lost them.
     * @param options.kinds only those of these kinds, where a service has several queues.
     */
    pending: async ({
      limit = 1000,
      kinds,
    }: {
      limit?: number
      kinds?: readonly string[]
    } = {}): Promise<JobReference[]> => {
      const found = await allJobs()
        .find({ leaseEndsAt: { $lte: new Date() }, ...(kinds && { kind: { $in: [...kinds] } }) })
        .sort({ leaseEndsAt: 1 })
        .limit(limit)
        .project({ workspaceId: 1 })
        .toArray()
      return found.map(({ _id, workspaceId }) => ({ id: String(_id), workspaceId: String(workspaceId) }))
    },
    /** Returns the time since which the oldest job that no worker holds has waited. */
    oldestPendingAt: async (): Promise<Date | undefined> => {
      const oldest = allJobs().find<Pick<JobRecord, 'leaseEndsAt'>>({ leaseEndsAt: { $lte: new Date() } })
      return (await oldest.sort({ leaseEndsAt: 1 }).limit(1).hint('pending').next())?.leaseEndsAt
    },
    /** Counts the failed jobs of all workspaces, by kind. */
    countFailed: async (): Promise<Record<string, number>> => {
      const byKind = [{ $match: { state: 'failed' } }, { $group: { _id: '$kind', count: { $sum: 1 } } }]
      const counts = await allJobs().aggregate<{ _id: string; count: number }>(byKind, { hint: 'failed' }).toArray()
      return Object.fromEntries(counts.map(({ _id, count }) => [_id, count]))
    },
    /** Returns failed jobs of all workspaces, by kind and the newest first. */
    failed: async (limit = 100): Promise<FailedJob[]> => {
      const sort = { kind: 1, createdAt: -1 } as const
      const found = await allJobs().find({ state: 'failed' }).hint('failed').sort(sort).limit(limit).toArray()
      return found.map(({ _id, workspaceId, kind, createdAt, error = '' }) => ({
        id: String(_id),
        workspaceId: String(workspaceId),
        kind,
        createdAt,
        error,
      }))
    },
    /** Gives a failed job all its attempts anew, from its checkpoint on. @returns `undefined` where there is no such job. */
    retry: async (id: string): Promise<JobReference | undefined> => {
      const now = Date.now()
      const life = { leaseEndsAt: new Date(now), expiresAt: new Date(now + maxLifeMs) }
      const retried = await allJobs().findOneAndUpdate(
        { _id: new Types.ObjectId(id), state: 'failed' },
        { $set: { ...life, state: 'waiting', attempts: 0 }, $unset: { error: 1 } },
      )
      return retried ? { id, workspaceId: String(retried['workspaceId']) } : undefined
    },
  }
}
export type JobRecords = ReturnType<typeof createJobRecords>

/**
 * Has a worker tell of failed jobs, which people may start anew: each worker of a service counts the same.
 * @param of.kinds all kinds of its jobs: each is told of from the start.
 */
export function measureFailedJobs(
  metrics: Metrics,
  { countFailed, kinds }: Pick<JobRecords, 'countFailed'> & { readonly kinds: readonly string[] },
): void {
  const none = Object.fromEntries(kinds.map((kind) => [kind, 0]))
  metrics.gauge({
    name: 'jobs_failed',
    help: 'Jobs that people have started and that failed at every attempt, of the last seven days',
    label: 'kind',
    read: async () => ({ ...none, ...(await countFailed()) }),
  })
}
