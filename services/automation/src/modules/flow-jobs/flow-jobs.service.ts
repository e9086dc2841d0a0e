import {
  type FlowJob,
  type FlowTask,
  flowTasks,
  maxFlowJobs,
  type StartAction,
} from '@parley/contracts/automation/flow-jobs'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobRecords, JobReference } from '@parley/service-kit/data/job-records'
import { isId } from '@parley/service-kit/data/plain'
import { runJob } from '@parley/service-kit/data/run-job'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { type ActorContext, memberIdOf, type UserContext } from '@parley/service-kit/http/context'
import type { Platform } from '../../platform/platform.ts'
import type { RunRecord } from '../runs/runs.service.ts'
import { createBulkWork } from './bulk-work.ts'
import { type BulkInput, kindOf, lastIdAt, type StartInput, toFlowJob } from './flow-job-inputs.ts'
import type { FlowStep } from './flow-step.ts'
import { createStartWork } from './start-work.ts'

/** Jobs of one workflow that are at work at once: a click that is repeated in despair must not start everything many times. */
const maxAtOnce = 5

const kinds = flowTasks.map(kindOf)

type WorkDependencies = Parameters<typeof createStartWork>[0] & Parameters<typeof createBulkWork>[0]
interface Dependencies extends WorkDependencies, Pick<Platform, 'transaction'> {
  readonly jobs: JobRecords
  readonly queue: (jobs: readonly JobReference[]) => Promise<void>
  /** @throws `not_found` where there is no such workflow. */
  readonly requireWorkflow: (scope: WorkspaceScope, id: string) => Promise<{ readonly numberIds: readonly string[] }>
  /** Wakes the lanes of stored runs, and tells pages. */
  readonly tell: (scope: WorkspaceScope, changed: readonly RunRecord[]) => void
  /** Tells pages of a workflow that a job has gone on. */
  readonly tellPages: (scope: WorkspaceScope, flowId: string) => void
}

/** Starts, shows and stops work over many contacts or runs of a workflow. */
export function createFlowJobs(deps: Dependencies) {
  const { jobs, queue, transaction, worlds, now, requireWorkflow, tell, tellPages } = deps
  const bulk = createBulkWork(deps)
  const work: Readonly<Record<FlowTask, FlowStep>> = {
    start: createStartWork(deps),
    retry: bulk,
    cancel: bulk,
    release: bulk,
  }
  const recent = (scope: WorkspaceScope, flowId: string) =>
    jobs.collection(scope).find({ 'input.flowId': flowId }).sort({ _id: -1 }).limit(maxFlowJobs).hint('flow')

  async function list(scope: WorkspaceScope, flowId: string): Promise<FlowJob[]> {
    await requireWorkflow(scope, flowId)
    return (await recent(scope, flowId)).map(toFlowJob)
  }

  /** @throws `limit_reached` while as many are at work already. */
  async function begin(
    ctx: ActorContext,
    task: FlowTask,
    input: StartInput | BulkInput,
    total: number,
  ): Promise<FlowJob> {
    const created = await transaction(async (tx) => {
      const atWork = await jobs
        .collection(ctx)
        .find({ 'input.flowId': input.flowId })
        .sort({ _id: -1 })
        .limit(maxFlowJobs)
        .hint('flow')
        .session(tx.session)
      if (atWork.filter(({ state }) => state === 'waiting' || state === 'running').length >= maxAtOnce)
        throw new AppError(
          'limit_reached',
          `${maxAtOnce} such jobs are at work already. Wait until one of them has ended.`,
        )
      return jobs.create(
        ctx,
        { kind: kindOf(task), total, input, startedBy: memberIdOf(ctx) ?? null },
        { session: tx.session },
      )
    })
    await queue([{ id: created.id, workspaceId: ctx.workspaceId }])
    return toFlowJob(created)
  }

  /**
   * Starts an active workflow for contacts.
   * @throws `not_found`, also to a key whose numbers are not all those of the workflow; `not_published`; `wrong_state` of a paused
   * one; `limit_reached`.
   */
  async function start(ctx: ActorContext, flowId: string, action: StartAction): Promise<FlowJob> {
    await requireOwn(ctx, flowId)
    const world = worlds(ctx, await now())
    if (!(await world.published(flowId)))
      throw new AppError('not_published', 'Publish the workflow first: it has nothing to run yet.')
    if (!(await world.workflows()).some((one) => one.flowId === flowId))
      throw errors.wrongState('The workflow is paused. Start it, then start it for contacts.')
    const by = ctx.actor.kind === 'key' ? 'api_key' : 'user'
    const input: StartInput = { flowId, of: contactsOf(action, world.now), by }
    return begin(ctx, 'start', input, 'ids' in input.of ? input.of.ids.length : 0)
  }

  /** Changes all runs that a filter matches. @throws `not_found`; `wrong_state` to retry those of a paused workflow; `limit_reached`. */
  async function change(
    ctx: UserContext,
    flowId: string,
    { filter, action }: Pick<BulkInput, 'filter' | 'action'>,
  ): Promise<FlowJob> {
    await requireWorkflow(ctx, flowId)
    const world = worlds(ctx, await now())
    if (action.kind === 'retry' && !(await world.workflows()).some((one) => one.flowId === flowId))
      throw errors.wrongState('The workflow is paused. Start it, then try its runs again.')
    const chosen = JSON.parse(JSON.stringify(filter)) as typeof filter
    return begin(ctx, action.kind, { flowId, filter: chosen, action, upTo: new Date(world.now) } satisfies BulkInput, 0)
  }

  async function find(scope: WorkspaceScope, id: string): Promise<JobRecord> {
    const job = isId(id) ? await jobs.collection(scope).findOne({ _id: id, kind: { $in: kinds } }) : null
    if (!job) throw errors.notFound('There is no such job.')
    return job
  }

  /** Finds a workflow that a caller may start: a key that is limited to numbers has those alone that act at no others. */
  async function requireOwn({ numbers, ...scope }: ActorContext, flowId: string): Promise<void> {
    const { numberIds } = await requireWorkflow(scope, flowId)
    if (numbers && (numberIds.length === 0 || numberIds.some((id) => !numbers.includes(id))))
      throw errors.notFound('There is no such workflow.')
  }

  /** Tells how far a job is. @throws `not_found`. */
  async function read(ctx: ActorContext, id: string): Promise<FlowJob> {
    const job = toFlowJob(await find(ctx, id))
    await requireOwn(ctx, job.workflowId)
    return job
  }

  /** Stops a job; what it has done stays. @throws `not_found`, `forbidden`, `wrong_state` of one that has ended. */
  async function cancel(ctx: UserContext, id: string): Promise<FlowJob> {
    const { startedBy } = await find(ctx, id)
    if (startedBy !== ctx.userId && !ctx.may('workflows:publish')) throw errors.forbidden()
    await jobs.stop(ctx, id)
    return toFlowJob(await find(ctx, id))
  }

  /** Works on a job until it has ended. */
  async function perform(reference: JobReference): Promise<void> {
    const scope = { workspaceId: reference.workspaceId }
    const job = await jobs.collection(scope).findOne({ _id: reference.id, kind: { $in: kinds } })
    if (!job) return
    const { task, workflowId } = toFlowJob(job)
    let changed: readonly RunRecord[] = []
    const note = (runs: readonly RunRecord[]) => {
      changed = runs
    }
    await runJob(jobs, reference, (current) => work[task](current, note), {
      onProgress: () => {
        tell(scope, changed)
        tellPages(scope, workflowId)
        changed = []
      },
    })
  }

  return { kinds, list, start, read, change, cancel, perform, pending: () => jobs.pending({ kinds }) }
}

function contactsOf(action: StartAction, now: number): StartInput['of'] {
  if (action.kind === 'segment') return { segmentId: action.segmentId, upTo: lastIdAt(now) }
  return { ids: action.kind === 'contact' ? [action.contactId] : [...new Set(action.contactIds)] }
}
