import { setImmediate } from 'node:timers/promises'
import { type DryRunResult, maxDryRunEvents } from '@parley/contracts/automation/dry-runs'
import { messagingInternalApi } from '@parley/contracts/automation/messaging-internal'
import { eventSchema, type RecordedEvent } from '@parley/contracts/platform/events'
import { compileFlow } from '@parley/flow/program'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobStep } from '@parley/service-kit/data/run-job'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { AskService } from '../../platform/platform.ts'
import { readFlow } from '../flows/flow-text.ts'
import { eventsOf } from '../flows/publish-world.ts'
import type { Worlds } from '../runs/create-worlds.ts'
import { type Checkpoint, checkpointSchema, type Input, inputSchema } from './dry-run-records.ts'
import { createPlayEvents, type Played } from './play-events.ts'

/** Pages of events between two checkpoints. */
const pagesPerStep = 10
const pageSize = 100
/** Times that a dry run begins anew after its worker has died. */
const maxBeginnings = 3
const maxTemplates = 200
const maxPaths = 1000
const dayMs = 86_400_000

interface Dependencies {
  readonly worlds: Worlds
  readonly askMessaging: AskService
}

/**
 * Creates the work on one dry run. What it has played is in memory alone, so that nothing of a contact is stored: where another worker
 * takes it over, it begins anew.
 */
export function createDryRunStep({ worlds, askMessaging }: Dependencies) {
  let playing: { events: ReturnType<typeof createPlayEvents>; from: number; upTo: number } | undefined
  let firstAt: string | undefined

  /** Finds where to begin, and what is played. */
  async function begin(scope: WorkspaceScope, { done }: JobRecord, input: Input, begun: number): Promise<JobStep> {
    if (begun > maxBeginnings) throw new Error(`the dry run has ended its process ${maxBeginnings} times`)
    const { after, head } = await askMessaging(scope, messagingInternalApi.history, {
      query: { since: input.since.toISOString() },
    })
    const from = Math.max(after, head - maxDryRunEvents)
    const { dryRunOf: flowId, numberIds, enrolment, number = 1 } = input
    const flow = readFlow(input.flow)
    const workflow = { flowId, numberIds, enrolment, events: new Set(eventsOf(flow)) }
    const version = { kind: 'workflow' as const, flowId, number, program: compileFlow(flow) }
    const events = createPlayEvents({ workflow, version, world: worlds(scope, input.until.getTime()) })
    playing = { events, from: after, upTo: from }
    firstAt = undefined
    return { checkpoint: { upTo: from, head, begun: begun + 1 } satisfies Checkpoint, total: head - from, done: -done }
  }

  /** @returns the next events, and how far the log was looked through. */
  async function readPage(scope: WorkspaceScope, after: number, head: number) {
    const query = { after, limit: pageSize }
    const { items, upTo } = await askMessaging(scope, messagingInternalApi.events, { query })
    const events = items.flatMap((item) => {
      const { data } = eventSchema.safeParse(item)
      // The schema has checked its data by its type.
      return data && item.seq <= head ? [data as object as RecordedEvent] : []
    })
    return { events, upTo: Math.min(head, Math.max(upTo, after + 1)) }
  }

  return async (job: JobRecord): Promise<JobStep> => {
    const scope = { workspaceId: job.workspaceId }
    const input = inputSchema.parse(job.input)
    const checkpoint = job.checkpoint === null ? undefined : checkpointSchema.parse(job.checkpoint)
    if (!checkpoint || playing?.upTo !== checkpoint.upTo) return begin(scope, job, input, checkpoint?.begun ?? 0)
    const { head } = checkpoint
    const { events: play, from } = playing
    let { upTo } = checkpoint
    let isFull = false
    for (let page = 0; page < pagesPerStep && upTo < head && !isFull; page += 1) {
      const read = await readPage(scope, upTo, head)
      upTo = read.upTo
      for (const event of read.events) {
        if (event.snapshot) firstAt ??= event.recordedAt
        if (await play.play(event)) continue
        isFull = true
        break
      }
      // Other work has its turn between two pages.
      await setImmediate()
    }
    playing = { ...playing, upTo }
    const step = { checkpoint: { ...checkpoint, upTo } satisfies Checkpoint, done: upTo - checkpoint.upTo }
    if (upTo < head && !isFull) return step
    const isCut = head - from > maxDryRunEvents
    const played = await play.finish(isFull ? 0 : input.until.getTime())
    return { ...step, result: { ...(await resultOf(scope, input, played, { isFull, isCut })) } }
  }

  async function resultOf(
    scope: WorkspaceScope,
    { since, until }: Input,
    { clock, days, templates, paths, ...played }: Played,
    { isFull, isCut }: { isFull: boolean; isCut: boolean },
  ): Promise<DryRunResult> {
    const counted = templates.slice(0, maxTemplates)
    const templateIds = counted.map(({ templateId }) => templateId)
    const known =
      templateIds.length > 0
        ? (await askMessaging(scope, messagingInternalApi.lookups, { body: { templateIds } })).templates
        : []
    const begins = isCut && firstAt !== undefined ? new Date(firstAt) : since
    const ends = new Date(isFull ? clock : Math.max(clock, until.getTime()))
    return {
      ...played,
      from: begins.toISOString(),
      until: ends.toISOString(),
      ...(firstAt !== undefined && { firstAt }),
      ...(isFull ? { cut: 'starts' as const } : isCut ? { cut: 'events' as const } : {}),
      days: allDays(begins, ends).map((day) => days.find((one) => one.day === day) ?? { day, starts: 0 }),
      templates: counted.map(({ templateId, count }) => {
        const { name, category } = known.find(({ id }) => id === templateId) ?? {}
        return { templateId, count, ...(name !== undefined && { name }), ...(category && { category }) }
      }),
      paths: paths.slice(0, maxPaths),
    }
  }
}

/** Returns the UTC days from one moment to another. */
function allDays(from: Date, until: Date): string[] {
  const first = Math.floor(from.getTime() / dayMs)
  const last = Math.floor(until.getTime() / dayMs)
  return Array.from({ length: last - first + 1 }, (_, index) =>
    new Date((first + index) * dayMs).toISOString().slice(0, 10),
  )
}
