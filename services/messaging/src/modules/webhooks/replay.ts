import type { Job } from '@parley/contracts/platform/jobs'
import { webhookEvents } from '@parley/contracts/platform/public-events'
import { type PublicEvent, publicEventSources, publicEventsOf } from '@parley/contracts/platform/public-events-of'
import { type ReplayRange, replayDays } from '@parley/contracts/platform/webhooks'
import { errors } from '@parley/service-kit/core/errors'
import { numberBefore, readTypes } from '@parley/service-kit/data/event-log'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobRecords, JobReference } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type JobStep, runJob } from '@parley/service-kit/data/run-job'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { type ActorContext, memberIdOf } from '@parley/service-kit/http/context'
import { z } from 'zod'
import { type DeliveriesRepository, deliveredKeptMs } from './deliveries.repository.ts'
import { deliveryOf, wants } from './plan-deliveries.ts'
import type { WebhookRecord } from './webhooks.model.ts'
import type { WebhooksRepository } from './webhooks.repository.ts'

export const replayKind = 'webhook-replay'
const stepSize = 500
const dayMs = 86_400_000

const inputSchema = z.object({
  webhookId: z.string(),
  since: z.coerce.date(),
  until: z.coerce.date(),
  types: z.array(z.enum(webhookEvents)).nullish(),
  only: z.enum(['failed', 'all']),
})
type Input = z.infer<typeof inputSchema>
const placeSchema = z.object({ after: z.number() })

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly jobs: JobRecords
  readonly webhooks: Pick<WebhooksRepository, 'read' | 'wake'>
  readonly deliveries: Pick<DeliveriesRepository, 'ofEvents' | 'insertMissing' | 'again'>
  readonly log: { readonly callable: (scope: WorkspaceScope, id: string) => Promise<WebhookRecord> }
  readonly queue: (records: readonly JobReference[]) => Promise<void>
  readonly queueJobs: (jobs: readonly JobReference[]) => Promise<void>
}

/** Sends the events of a time once more: the log of events is read again, and each goes behind what happens now. */
export function createReplay({ mongo, jobs, webhooks, deliveries, log, queue, queueJobs }: Dependencies) {
  /** @throws `not_found`, `wrong_state`, `validation_failed`. */
  async function start(ctx: ActorContext, webhookId: string, range: ReplayRange): Promise<Job> {
    const webhook = await log.callable(ctx, webhookId)
    const [since, until] = [new Date(range.since), new Date(range.until)]
    if (since >= until) throw errors.validation({ until: 'The end must be after the beginning' })
    if (since.getTime() < Date.now() - replayDays * dayMs)
      throw errors.validation({ since: `Events are kept for ${replayDays} days` })
    const input = { ...range, webhookId: webhook.id }
    const job = await jobs.create(ctx, { kind: replayKind, total: 0, input, startedBy: memberIdOf(ctx) ?? null })
    await queueJobs([{ id: job.id, workspaceId: ctx.workspaceId }])
    return find(ctx, webhookId, job.id)
  }

  /** @throws `not_found` also for a job of another webhook. */
  async function find(scope: WorkspaceScope, webhookId: string, jobId: string): Promise<Job> {
    const job = await jobs.collection(scope).findOne({ _id: jobId })
    if (job?.kind !== replayKind || inputSchema.safeParse(job.input).data?.webhookId !== webhookId)
      throw errors.notFound('There is no such replay.')
    return jobs.find(scope, jobId)
  }

  /** @throws `not_found`, `wrong_state`. */
  async function cancel(scope: WorkspaceScope, webhookId: string, jobId: string): Promise<Job> {
    await find(scope, webhookId, jobId)
    return jobs.stop(scope, jobId)
  }

  async function step({ workspaceId, input: stored, checkpoint, done }: JobRecord): Promise<JobStep> {
    const scope = { workspaceId }
    const input = inputSchema.parse(stored)
    const webhook = await webhooks.read(scope, input.webhookId)
    if (!webhook || webhook.status === 'disabled') return { checkpoint, result: { queued: 0 } }
    const place = placeSchema.safeParse(checkpoint).data
    const after = place?.after ?? (await numberBefore(mongo, workspaceId, input.since))
    const found = await readTypes(mongo, { workspaceId, after, limit: stepSize, types: publicEventSources })
    const within = found.events.filter(({ recordedAt }) => new Date(recordedAt) <= input.until)
    const queued = await queueAgain(webhook, within.flatMap(publicEventsOf), input)
    const isOver = within.length < found.events.length || found.upTo >= found.head
    return {
      checkpoint: { after: found.upTo },
      done: queued,
      total: done + queued,
      ...(isOver && { result: { upTo: found.upTo } }),
    }
  }

  /** @returns how many deliveries are due again. */
  async function queueAgain(
    webhook: WebhookRecord,
    told: readonly PublicEvent[],
    { types, only }: Input,
  ): Promise<number> {
    const { id, workspaceId } = webhook
    const scope = { workspaceId }
    const wanted = told.filter((event) => wants(webhook, event) && (!types || types.includes(event.type)))
    if (wanted.length === 0) return 0
    const at = new Date()
    const known = new Map(
      (
        await deliveries.ofEvents(
          scope,
          id,
          wanted.map(({ sequence }) => sequence),
        )
      ).map((row) => [`${row.seq}.${row.n}`, row]),
    )
    const missing = wanted.filter(
      (event) => !known.has(`${event.sequence}.${event.n}`) && (only === 'all' || isInLog(event, at)),
    )
    const rows = missing.map((event) => deliveryOf(webhook, event, { at, rank: 1 }))
    const fallen = wanted.flatMap((event) => known.get(`${event.sequence}.${event.n}`) ?? [])
    const again = fallen.filter(
      ({ state }) => state !== 'due' && state !== 'sending' && (only === 'all' || state !== 'delivered'),
    )
    await deliveries.insertMissing(scope, rows, {})
    for (const row of again) await deliveries.again(scope, row.id, { at, rank: 1 })
    await webhooks.wake(scope, [id], at)
    await queue([{ id, workspaceId }])
    return rows.length + again.length
  }

  return {
    start,
    find,
    cancel,
    perform: async (reference: JobReference): Promise<void> => {
      await runJob(jobs, reference, step)
    },
  }
}

/** Deliveries that succeeded leave the log after a week: of an older event without one it is not known whether it was missed. */
const isInLog = ({ timestamp }: PublicEvent, now: Date): boolean =>
  now.getTime() - new Date(timestamp).getTime() < deliveredKeptMs
