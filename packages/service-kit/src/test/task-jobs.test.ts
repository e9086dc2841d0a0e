import { jobSchema } from '@parley/contracts/platform/jobs'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { auditEntries } from '../data/audit-log.ts'
import { type JobStep, runJob } from '../data/run-job.ts'
import { openTaskService } from '../testing/open-task-service.ts'
import { userId, workspaceId } from '../testing/shop-app.ts'

const ours = { workspaceId }
const theirs = { workspaceId: 'c'.repeat(24) }
let service: Awaited<ReturnType<typeof openTaskService>>
beforeAll(async () => {
  service = await openTaskService(inject('stack').urls)
})
afterAll(() => service.stop())
beforeEach(() => service.tasks(ours).deleteMany({}))

async function newJob(count: number) {
  await service.tasks(ours).insertMany(Array.from({ length: count }, (_, row) => ({ title: `t${row}` })))
  const { status, body } = await service.call('POST', '/api/tasks/clear')
  expect(status).toBe(202)
  return jobSchema.parse(body)
}
/** One task a step; its deletion is stored together with the checkpoint. */
const deleteOne = async (): Promise<JobStep> => {
  const task = await service.tasks(ours).findOne({}, { sort: { title: 1 } })
  if (!task) return { checkpoint: null, result: { deleted: true } }
  return {
    checkpoint: task.title,
    done: 1,
    write: async ({ session }) => {
      await service.tasks(ours).deleteOne({ _id: task.id }, { session })
    },
  }
}
const reference = ({ id }: { id: string }) => ({ id, workspaceId })

test('a job goes step by step to its result, and says how far it is', async () => {
  const job = await newJob(3)
  expect(job).toMatchObject({
    kind: 'tasks.clear',
    state: 'waiting',
    total: 3,
    done: 0,
    startedBy: userId,
    result: null,
  })
  expect(await service.jobs.pending()).toContainEqual(reference(job))
  expect(await service.jobs.oldestPendingAt()).toEqual(expect.any(Date))
  const progress: number[] = []
  const end = await runJob(service.jobs, reference(job), deleteOne, { onProgress: ({ done }) => progress.push(done) })
  expect(end).toMatchObject({ state: 'done', done: 3, failed: 0, result: { deleted: true } })
  expect(progress).toEqual([1, 2, 3, 3])
  expect((await service.call('GET', `/api/jobs/${job.id}`)).body).toEqual(end)
  expect(await service.jobs.pending()).not.toContainEqual(reference(job))
  expect(await service.jobs.oldestPendingAt()).toBeUndefined()
  expect(await runJob(service.jobs, reference(job), deleteOne)).toBeUndefined()
})

test('a job whose worker is gone goes on from its checkpoint, and each item is done once', async () => {
  const job = await newJob(3)
  let steps = 0
  const hangs = new Promise<never>(() => {})
  // This worker stores one step and is never heard of again.
  void runJob(service.jobs, reference(job), () => (steps++ === 0 ? deleteOne() : hangs), { leaseMs: 1e9 })
  await expect.poll(async () => (await service.jobs.find(ours, job.id)).done).toBe(1)
  expect(await runJob(service.jobs, reference(job), deleteOne)).toBeUndefined()
  await service.jobs.collection(ours).updateOne({ _id: job.id }, { $set: { leaseEndsAt: new Date(0) } })
  expect(await service.jobs.pending()).toContainEqual(reference(job))
  expect(await runJob(service.jobs, reference(job), deleteOne)).toMatchObject({ state: 'done', done: 3 })
})

test('a worker that has lost its lease stores nothing of its step', async () => {
  const job = await newJob(2)
  const late = runJob(service.jobs, reference(job), async () => {
    const step = await deleteOne()
    await service.jobs.collection(ours).updateOne({ _id: job.id }, { $set: { leaseOwner: 'another' } })
    return step
  })
  expect(await late).toBeUndefined()
  expect(await service.tasks(ours).countDocuments()).toBe(2)
  expect(await service.jobs.find(ours, job.id)).toMatchObject({ state: 'running', done: 0 })
})

test('a cancelled job stops before the step in hand takes effect', async () => {
  const job = await newJob(3)
  let steps = 0
  const run = runJob(service.jobs, reference(job), async () => {
    steps += 1
    if (steps === 2) expect((await service.call('POST', `/api/jobs/${job.id}/cancel`)).status).toBe(200)
    return deleteOne()
  })
  expect(await run).toBeUndefined()
  expect(await service.jobs.find(ours, job.id)).toMatchObject({ state: 'cancelled', done: 1 })
  expect(await service.tasks(ours).countDocuments()).toBe(2)
  expect((await service.call('POST', `/api/jobs/${job.id}/cancel`)).body.code).toBe('wrong_state')
})

test('what a step has left elsewhere is taken back where it is not stored, and only there', async () => {
  const job = await newJob(3)
  const left: number[] = []
  let steps = 0
  const run = runJob(service.jobs, reference(job), async () => {
    steps += 1
    const step = steps
    left.push(step)
    if (step === 2) await service.call('POST', `/api/jobs/${job.id}/cancel`)
    return { ...(await deleteOne()), discard: async () => left.splice(left.indexOf(step), 1) }
  })
  expect(await run).toBeUndefined()
  expect(left).toEqual([1])
})

test('only who started a job, or may change the workspace, cancels it; another workspace does not know it', async () => {
  const { id } = await newJob(1)
  const stranger = { workspaceId, actor: { kind: 'user' as const, id: 'e'.repeat(24) }, may: () => false }
  await expect(service.jobs.cancel(stranger, id)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(service.jobs.find(theirs, id)).rejects.toMatchObject({ code: 'not_found' })
  expect(await service.jobs.cancel({ ...stranger, may: (needed) => needed === 'workspace:write' }, id)).toMatchObject({
    state: 'cancelled',
  })
})

test('a step that throws leaves the job to the next attempt, and fails it after eight in a row', async () => {
  const job = await newJob(1)
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    const run = runJob(service.jobs, reference(job), () => Promise.reject(new Error('no disk')))
    await expect(run).rejects.toThrow('no disk')
    const { state } = await service.jobs.find(ours, job.id)
    expect(state).toBe(attempt < 8 ? 'running' : 'failed')
    if (attempt === 8) break
    // The next attempt has its time, whoever asks for it.
    expect(await runJob(service.jobs, reference(job), deleteOne)).toBeUndefined()
    await atOnce(job)
  }
  expect(await service.jobs.countFailed()).toEqual({ 'tasks.clear': 1 })
  expect(await service.jobs.failed()).toMatchObject([
    { ...reference(job), kind: 'tasks.clear', error: 'Error: no disk' },
  ])
  expect(await service.jobs.retry('d'.repeat(24))).toBeUndefined()
  expect(await service.jobs.retry(job.id)).toEqual(reference(job))
  expect(await service.jobs.pending()).toContainEqual(reference(job))
  expect(await runJob(service.jobs, reference(job), deleteOne)).toMatchObject({ state: 'done', done: 1 })
  expect(await service.jobs.failed()).toEqual([])
})

test('a checkpoint begins the count of attempts anew', async () => {
  const job = await newJob(12)
  for (let attempt = 1; attempt <= 12; attempt += 1) {
    let steps = 0
    const step = () => (steps++ === 0 ? deleteOne() : Promise.reject(new Error('no disk')))
    await expect(runJob(service.jobs, reference(job), step)).rejects.toThrow('no disk')
    await atOnce(job)
  }
  expect(await runJob(service.jobs, reference(job), deleteOne)).toMatchObject({ state: 'done', done: 12 })
})

test('a job whose step ends its process each time has failed after eight times', async () => {
  const job = await newJob(1)
  // A process that has ended leaves an attempt and a lease that runs out.
  const left = { state: 'running', attempts: 8, leaseOwner: 'gone', leaseEndsAt: new Date(0) } as const
  await service.jobs.collection(ours).updateOne({ _id: job.id }, { $set: left })
  await expect(runJob(service.jobs, reference(job), deleteOne)).rejects.toThrow('8 times in a row')
  expect(await service.jobs.find(ours, job.id)).toMatchObject({ state: 'failed', done: 0 })
})

/** Lets the next attempt begin now. */
const atOnce = ({ id }: { id: string }) =>
  service.jobs.collection(ours).updateOne({ _id: id }, { $set: { leaseEndsAt: new Date(0) } })

test('the end of a job that a member has started is in the audit log once, with what was done', async () => {
  const { connection } = service.jobs
  const job = await newJob(2)
  await runJob(service.jobs, reference(job), deleteOne)
  const entriesOf = (id: string) => auditEntries(connection).find({ action: 'jobs.end', 'targets.id': id }).toArray()
  expect(await entriesOf(job.id)).toMatchObject([
    {
      actor: { kind: 'member', id: userId },
      resource: 'jobs',
      targets: [{ kind: 'tasks.clear', id: job.id }],
      changes: [
        { field: 'done', to: 2 },
        { field: 'failed', to: 0 },
      ],
      outcome: 'done',
    },
  ])
  const doomed = await newJob(1)
  const breaks = () => Promise.reject(new Error('broken'))
  for (let attempts = 0; attempts < 8; attempts += 1) {
    expect(await entriesOf(doomed.id)).toEqual([])
    await service.jobs.collection(ours).updateOne({ _id: doomed.id }, { $set: { leaseEndsAt: new Date(0) } })
    await runJob(service.jobs, reference(doomed), breaks).catch(() => undefined)
  }
  expect(await entriesOf(doomed.id)).toMatchObject([{ outcome: 'failed' }])
})
