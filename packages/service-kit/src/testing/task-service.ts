import { defineEndpoint } from '@parley/contracts/core/endpoint'
import { byId, pageQueryFields, pageOf as pageSchemaOf, storedFields } from '@parley/contracts/core/records'
import { jobSchema, jobsApi } from '@parley/contracts/platform/jobs'
import type { Redis } from 'ioredis'
import { type Connection, Schema } from 'mongoose'
import { z } from 'zod'
import { createEventIndexes } from '../data/event-log.ts'
import { createEventStream } from '../data/event-stream.ts'
import { createFailedJobsIndex, createJobIndexes } from '../data/job-record.ts'
import { createJobRecords } from '../data/job-records.ts'
import { type ListSort, pageOf } from '../data/page.ts'
import { createPageCursors } from '../data/page-cursor.ts'
import { workspaceCollection } from '../data/scoped-collection.ts'
import { inTransaction } from '../data/transaction.ts'
import { updateVersion } from '../data/versioned.ts'
import { mount } from '../http/mount.ts'
import { startBareApp } from './bare-app.ts'

/** An imaginary domain that uses all of the data layer: a list, ids, a versioned change with its event, a job, a stream. */
interface TaskRecord {
  readonly id: string
  readonly workspaceId: string
  readonly title: string
  readonly dueAt: Date | null
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

const taskRecordSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    title: { type: String, required: true, maxlength: 80 },
    dueAt: { type: Date, default: null },
    version: Number,
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)

const taskSchema = z.object({ ...storedFields, title: z.string(), dueAt: z.iso.datetime().nullable() })
const sorts = {
  title: { index: 'title', field: 'title', direction: 1 },
  due: { index: 'due', field: 'dueAt', direction: 1 },
  latest: { index: 'due', field: 'dueAt', direction: -1 },
  newest: { index: 'newest', field: '_id', direction: -1 },
  unindexed: { index: 'newest', field: 'title', direction: 1 },
} satisfies Record<string, ListSort<TaskRecord>>

const session = { access: 'session', permission: 'member', summary: 'Of an imaginary domain.' } as const
const tasksApi = {
  list: defineEndpoint({
    ...session,
    operation: 'tasks.list',
    method: 'GET',
    path: '/api/tasks',
    query: z.object({
      ...pageQueryFields,
      sort: z.enum(['title', 'due', 'latest', 'newest', 'unindexed']).default('title'),
    }),
    status: 200,
    response: pageSchemaOf(taskSchema),
    errors: [],
  }),
  change: defineEndpoint({
    ...session,
    operation: 'tasks.change',
    method: 'PATCH',
    path: '/api/tasks/:id',
    params: byId,
    body: z.object({ title: z.string().min(1).max(80), version: z.number().int() }),
    status: 200,
    response: taskSchema,
    errors: ['not_found', 'stale_version'],
  }),
  clear: defineEndpoint({
    ...session,
    operation: 'tasks.clear',
    method: 'POST',
    path: '/api/tasks/clear',
    status: 202,
    response: jobSchema,
    errors: [],
  }),
  events: defineEndpoint({
    ...session,
    operation: 'tasks.events',
    method: 'GET',
    path: '/api/events',
    responseType: 'events',
    status: 200,
    errors: [],
  }),
}

const toTask = (task: TaskRecord) => ({
  id: task.id,
  title: task.title,
  dueAt: task.dueAt?.toISOString() ?? null,
  version: task.version,
  createdAt: task.createdAt.toISOString(),
  updatedAt: task.updatedAt.toISOString(),
})

export async function createTaskIndexes({ db }: Connection): Promise<void> {
  if (!db) throw new Error('the connection is not open')
  const tasks = db.collection('tasks')
  await tasks.createIndex({ workspaceId: 1, title: 1, _id: 1 }, { name: 'title' })
  await tasks.createIndex({ workspaceId: 1, dueAt: 1, _id: 1 }, { name: 'due' })
  await tasks.createIndex({ workspaceId: 1, _id: 1 }, { name: 'newest' })
  await createEventIndexes(db)
  await createJobIndexes(db)
  await createFailedJobsIndex(db)
}

/** The imaginary service, listening. @param kept what its kept counter of tasks says. */
export async function startTaskService(connection: Connection, redis: Redis, kept?: () => Promise<number>) {
  const tasks = workspaceCollection<TaskRecord>({ connection, name: 'tasks', schema: taskRecordSchema })
  const cursors = createPageCursors('a secret of the configuration, all replicas')
  const jobs = createJobRecords(connection)
  const stream = createEventStream({ connection, redis })
  const { app, url } = await startBareApp({
    modules: (scope) => {
      mount(scope, tasksApi.list, async ({ ctx, query: { sort, limit, cursor } }) => {
        const { workspaceId } = ctx
        const sorted: ListSort<TaskRecord> = sorts[sort]
        const page = await pageOf(tasks(ctx), {
          sort: sorted,
          cursors,
          workspaceId,
          limit,
          cursor,
          ...(kept && { kept }),
        })
        return { ...page, items: page.items.map(toTask) }
      })
      mount(scope, tasksApi.change, async ({ ctx, params, body: { title, version } }) =>
        inTransaction(connection, async ({ session: inSession, emit }) => {
          const change = { id: params.id, version, update: { $set: { title } }, toAnswer: toTask }
          const changed = await updateVersion(tasks(ctx), change, { session: inSession })
          emit({
            workspaceId: ctx.workspaceId,
            type: 'member.changed',
            recordId: changed.id,
            version: changed.version,
            by: { kind: 'user', id: ctx.userId },
            data: {
              memberId: changed.id,
              userId: ctx.userId,
              role: 'owner',
              status: 'active',
              version: changed.version,
            },
          })
          return toTask(changed)
        }),
      )
      mount(scope, tasksApi.clear, async ({ ctx }) => {
        const total = await tasks(ctx).countDocuments()
        const { id } = await jobs.create(ctx, { kind: 'tasks.clear', total, input: null, startedBy: ctx.userId })
        return jobs.find(ctx, id)
      })
      mount(scope, jobsApi.find, ({ ctx, params }) => jobs.find(ctx, params.id))
      mount(scope, jobsApi.cancel, ({ ctx, params }) => jobs.cancel(ctx, params.id))
      mount(scope, tasksApi.events, ({ ctx, signal, lastEventId }) =>
        stream.open({
          workspaceId: ctx.workspaceId,
          after: lastEventId === undefined ? undefined : Number(lastEventId),
          signal,
        }),
      )
    },
  })
  const close = async () => {
    await stream.close()
    await app.close()
  }
  return { url, tasks, jobs, close }
}
