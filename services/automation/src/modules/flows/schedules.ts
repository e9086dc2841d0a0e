import { isDeepStrictEqual } from 'node:util'
import { type DraftFlow, nodeSettingsSchema } from '@parley/contracts/automation/flow'
import { type Timing, timingSchema } from '@parley/contracts/automation/schedule'
import { nextStart } from '@parley/flow/schedule'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Session } from '../../platform/platform.ts'
import {
  type ScheduledStartRecord,
  type ScheduleRecord,
  scheduled,
  scheduledStartSchema,
  scheduleSchema,
} from './schedules.model.ts'

const maxDue = 200

/** A schedule whose time has come. */
export type DueSchedule = ScheduleRecord

export type SchedulesRepository = ReturnType<typeof createSchedulesRepository>

/** Stores when active workflows start by the clock. @param now the database's clock, in milliseconds since 1970. */
export function createSchedulesRepository(
  connection: ServiceConnection,
  { now }: { readonly now: () => Promise<number> },
) {
  const definition = { connection, name: 'schedules', schema: scheduleSchema, bookkeeping: true as const }
  const schedules = workspaceCollection<ScheduleRecord>(definition)
  const waiting = scopedCollection<object, ScheduleRecord>(definition, () => ({ watch: scheduled }))
  const starts = workspaceCollection<ScheduledStartRecord>({
    connection,
    name: 'scheduledStarts',
    schema: scheduledStartSchema,
    bookkeeping: true,
  })

  /**
   * Stores the schedules of a flow that is active. One whose times are the same keeps its next start: what has fallen due and was not
   * begun yet is begun, also across a publication.
   */
  async function claim(scope: WorkspaceScope, flowId: string, flow: DraftFlow, { session }: Session): Promise<void> {
    const drawn = schedulesIn(flow)
    const known = await schedules(scope).find({ flowId }).hint('node').session(session)
    const nodeIds = drawn.map(({ nodeId }) => nodeId)
    if (known.some(({ nodeId }) => !nodeIds.includes(nodeId)))
      await schedules(scope).deleteMany({ flowId, nodeId: { $nin: nodeIds } }, { session })
    if (drawn.length === 0) return
    const time = new Date(await now())
    for (const { nodeId, timing, segmentId } of drawn) {
      const before = known.find((one) => one.nodeId === nodeId)
      const next = nextStart(timing, time)
      const keeps = before && isDeepStrictEqual(before.timing, timing)
      await schedules(scope).updateOne(
        { flowId, nodeId },
        keeps
          ? { $set: { segmentId } }
          : {
              $set: { segmentId, timing, ...(next && { nextAt: next.at, slot: next.slot, watch: scheduled }) },
              ...(!next && { $unset: { nextAt: 1, slot: 1, watch: 1 } }),
            },
        { session, upsert: true },
      )
    }
  }

  /** Stops the schedules of a flow. */
  async function release(scope: WorkspaceScope, flowId: string, { session }: Session): Promise<void> {
    await schedules(scope).deleteMany({ flowId }, { session })
  }

  /**
   * Takes a start that is due, in the caller's transaction, and moves its schedule on.
   * @returns whether it is the caller's to make: false where another worker, or an earlier publication, has made it.
   */
  async function take(due: ScheduleRecord, time: Date, { session }: Session): Promise<boolean> {
    const { id, workspaceId, flowId, nodeId, slot, nextAt } = due
    const scope = { workspaceId }
    if (!nextAt || slot === undefined) return false
    const next = nextStart(due.timing, time)
    const moved = await schedules(scope).findOneAndUpdate(
      { _id: id, slot, nextAt },
      next ? { $set: { nextAt: next.at, slot: next.slot } } : { $unset: { nextAt: 1, slot: 1, watch: 1 } },
      { session },
    )
    if (!moved) return false
    const start = { flowId, nodeId, slot }
    if (await starts(scope).findOne(start, { hint: 'slot', session })) return false
    await starts(scope).create({ ...start, at: nextAt, ...(isMissed(nextAt, time) && { missed: true }) }, { session })
    return true
  }

  return {
    claim,
    release,
    take,
    isMissed,
    due: (time: Date): PromiseLike<ScheduleRecord[]> =>
      waiting({})
        .find({ nextAt: { $lte: time } })
        .sort({ nextAt: 1 })
        .limit(maxDue)
        .hint('due'),
    /** Returns the time of the first start that was not made yet. */
    oldestDueAt: async (): Promise<Date | undefined> => {
      const [first] = await waiting({})
        .find({ nextAt: { $lte: new Date(await now()) } })
        .sort({ nextAt: 1 })
        .limit(1)
        .hint('due')
      return first?.nextAt
    },
    /** Returns the next start of each of some flows that has one. */
    nextOf: async (scope: WorkspaceScope, flowIds: readonly string[]): Promise<ReadonlyMap<string, Date>> => {
      const found = await schedules(scope)
        .find({ flowId: { $in: flowIds } })
        .hint('node')
      const next = new Map<string, Date>()
      for (const { flowId, nextAt } of found) {
        const known = next.get(flowId)
        if (nextAt && (!known || nextAt < known)) next.set(flowId, nextAt)
      }
      return next
    },
  }
}

/** Milliseconds after its time up to which a start is still made: an outage that is longer has missed it. */
const maxLateMs = 3_600_000
const isMissed = (at: Date, time: Date): boolean => time.getTime() - at.getTime() >= maxLateMs

const schedulesIn = (flow: DraftFlow): { nodeId: string; timing: Timing; segmentId: string }[] =>
  flow.nodes.flatMap(({ id: nodeId, type, settings }) => {
    const parsed = type === 'trigger' ? nodeSettingsSchema.safeParse(settings) : undefined
    return parsed?.success && parsed.data.kind === 'schedule'
      ? [{ nodeId, timing: timingSchema.parse(parsed.data), segmentId: parsed.data.segmentId }]
      : []
  })
