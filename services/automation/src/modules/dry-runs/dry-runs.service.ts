import { type DryRun, maxDryRuns, type NewDryRun } from '@parley/contracts/automation/dry-runs'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import type { Enrolment } from '@parley/contracts/automation/workflows'
import { AppError, errors } from '@parley/service-kit/core/errors'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobRecords, JobReference } from '@parley/service-kit/data/job-records'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import { isId } from '@parley/service-kit/data/plain'
import { runJob } from '@parley/service-kit/data/run-job'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { UserContext } from '@parley/service-kit/http/context'
import type { AskService } from '../../platform/platform.ts'
import { flowText } from '../flows/flow-text.ts'
import { freshEnrolment } from '../flows/show-flows.ts'
import type { Worlds } from '../runs/create-worlds.ts'
import { dryRunKind, type Input, toDryRun } from './dry-run-records.ts'
import { createDryRunStep } from './perform-dry-run.ts'

const dayMs = 86_400_000

interface Dependencies {
  readonly jobs: JobRecords
  readonly queue: (jobs: readonly JobReference[]) => Promise<void>
  readonly flows: {
    /** @throws `not_found` where there is no such workflow. */
    readonly requireWorkflow: (
      scope: WorkspaceScope,
      id: string,
    ) => Promise<{
      readonly numberIds: readonly string[]
      readonly enrolment?: Enrolment | undefined
      readonly publishedVersion?: number | undefined
    }>
    readonly readDraft: (scope: WorkspaceScope, id: string) => Promise<DraftFlow>
    readonly readVersion: (scope: WorkspaceScope, id: string, number: number) => Promise<DraftFlow | undefined>
  }
  readonly worlds: Worlds
  readonly askMessaging: AskService
  readonly now: () => Promise<number>
}

/** Tells how often a workflow would have started on recorded events: work in the background, whose result is counts alone. */
export function createDryRuns({ jobs, queue, flows, worlds, askMessaging, now }: Dependencies) {
  async function list(scope: WorkspaceScope, workflowId: string): Promise<DryRun[]> {
    await flows.requireWorkflow(scope, workflowId)
    const found = await jobs
      .collection(scope)
      .find({ 'input.dryRunOf': workflowId })
      .sort({ _id: -1 })
      .limit(maxDryRuns)
      .select('-input.flow')
      .hint('dry-runs')
    return found.map(toDryRun)
  }

  /** @throws `not_found`; `not_published`; `limit_reached` while one of the workflow is at work. */
  async function start(ctx: UserContext, workflowId: string, { days, of }: NewDryRun): Promise<DryRun> {
    const { numberIds, enrolment = freshEnrolment, publishedVersion } = await flows.requireWorkflow(ctx, workflowId)
    const number = of.kind === 'published' ? publishedVersion : undefined
    const flow =
      of.kind === 'draft'
        ? (of.flow ?? (await flows.readDraft(ctx, workflowId)))
        : number === undefined
          ? undefined
          : await flows.readVersion(ctx, workflowId, number)
    if (!flow) throw new AppError('not_published', 'Publish the workflow first: it has no version yet.')
    const until = await now()
    const input: Input = {
      dryRunOf: workflowId,
      of: of.kind,
      ...(number !== undefined && { number }),
      flow: flowText(flow),
      numberIds: [...numberIds],
      enrolment,
      days,
      since: new Date(until - days * dayMs),
      until: new Date(until),
    }
    const job = await jobs
      .create(ctx, { kind: dryRunKind, total: 0, input, startedBy: ctx.userId })
      .catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error
        throw new AppError(
          'limit_reached',
          'A dry run of this workflow is at work. Wait until it has ended, or stop it.',
        )
      })
    await queue([{ id: job.id, workspaceId: ctx.workspaceId }])
    return toDryRun(job)
  }

  /** @throws `not_found`; `wrong_state` of one that has ended. */
  async function cancel(scope: WorkspaceScope, id: string): Promise<DryRun> {
    await find(scope, id)
    await jobs.stop(scope, id)
    return toDryRun(await find(scope, id))
  }

  async function find(scope: WorkspaceScope, id: string): Promise<JobRecord> {
    const job = isId(id) ? await jobs.collection(scope).findOne({ _id: id, kind: dryRunKind }) : null
    if (!job) throw errors.notFound('There is no such dry run.')
    return job
  }

  return {
    list,
    start,
    cancel,
    /** Works on a dry run until it has ended. */
    perform: async (reference: JobReference): Promise<void> => {
      await runJob(jobs, reference, createDryRunStep({ worlds, askMessaging }))
    },
    pending: () => jobs.pending({ kinds: [dryRunKind] }),
  }
}
