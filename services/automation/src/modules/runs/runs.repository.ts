import type { Filter } from '@parley/service-kit/data/collection-types'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Session } from '../../platform/platform.ts'
import { maxLookedThrough } from '../../platform/visibility.ts'
import { createFlowDays } from './flow-days.ts'
import { remember, remembered, toStored, toWrite, withoutAbsent } from './run-writes.ts'
import { dueReasons, type Recent, type RunRecord, runSchema } from './runs.model.ts'
import { createStarts } from './starts.repository.ts'
import { createSteps } from './steps.repository.ts'

export type RunsRepository = ReturnType<typeof createRunsRepository>

type Workspaces = readonly string[]
/** Leaves some workspaces out. */
const notOf = (without: Workspaces) => (without.length > 0 ? { workspaceId: { $nin: [...without] } } : {})

export function createRunsRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'runs', schema: runSchema }
  const runs = workspaceCollection<RunRecord>(definition)
  // Lanes hold the work of every workspace: each run names its own.
  const inLane = scopedCollection<{ lane: string }, RunRecord>(definition, ({ lane }) => ({ lane }))
  const dueInLane = scopedCollection<{ dueLane: string }, RunRecord>(definition, ({ dueLane }) => ({ dueLane }))
  const dueWith = scopedCollection<{ dueFor: string }, RunRecord>(definition, ({ dueFor }) => ({ dueFor }))
  const flowDays = createFlowDays(connection)

  /** Stores runs, if nobody has changed them since they were read. @returns the number of stored runs. */
  async function save(
    scope: WorkspaceScope,
    changed: readonly RunRecord[],
    options: Partial<Session>,
  ): Promise<number> {
    if (changed.length === 0) return 0
    const { matchedCount } = await runs(scope).bulkWrite(
      // Runs that give a conversation up are stored before the one that takes it: one holder at a time.
      changed.toSorted((left, right) => Number(left.holds ?? false) - Number(right.holds ?? false)).map(toWrite),
      { ...options, ordered: true },
    )
    return matchedCount
  }

  return {
    save,
    insert: async (scope: WorkspaceScope, started: readonly RunRecord[], options: Session): Promise<void> => {
      await runs(scope).insertPlain(
        started.map(({ id, workspaceId: _, version: __, ...run }) => ({
          ...withoutAbsent({ ...run, talliedAs: 'begun' }),
          _id: id,
        })),
        options,
      )
      await flowDays.begin(scope, started, options)
    },
    /** Returns runs that were saved or inserted as they are stored now: whoever goes on with them need not read them again. */
    asStored: ({ workspaceId }: WorkspaceScope, saved: readonly RunRecord[]): RunRecord[] =>
      saved.map((run) => toStored(run, workspaceId)),
    read: async (scope: WorkspaceScope, id: string) => remember(await runs(scope).findOne({ _id: id })),
    /** Returns live runs with some people. */
    liveOf: (scope: WorkspaceScope, contactIds: readonly string[], { session }: Session) =>
      remembered(
        runs(scope)
          .find({ contactId: { $in: contactIds }, live: true })
          .hint('live')
          .session(session),
      ),
    allOf: (scope: WorkspaceScope, contactId: string, { session }: Session) =>
      remembered(runs(scope).find({ contactId }).hint('contact').session(session)),
    /** Counts live runs, up to a limit. */
    countLive: (scope: WorkspaceScope, limit: number): Promise<number> =>
      runs(scope).countDocuments({ live: true }, { hint: 'running', limit }),
    holderOf: (scope: WorkspaceScope, conversationId: string) =>
      runs(scope).findOne({ conversationId, holds: true }, { hint: 'holder' }),
    /** Returns what the last sessions of some conversations have sent lately: one jump through the index for each. */
    recentIn: async (
      scope: WorkspaceScope,
      conversationIds: readonly string[],
    ): Promise<ReadonlyMap<string, Recent>> => {
      const rows = await runs(scope).aggregate<{ _id: string; recent: Recent }>(
        [
          { $match: { conversationId: { $in: [...conversationIds] } } },
          { $sort: { conversationId: 1, _id: -1 } },
          { $group: { _id: '$conversationId', recent: { $first: '$recent' } } },
        ],
        { hint: 'conversation' },
      )
      return new Map(rows.map(({ _id, recent }) => [_id, recent]))
    },
    /** Returns runs that have a place with a contact. */
    slotsOf: (scope: WorkspaceScope, contactId: string, { session }: Session) =>
      runs(scope)
        .find({ contactId, slot: { $exists: true } })
        .hint('slots')
        .session(session),
    /** Records that a person wrote after sessions had ended: those have resolved nothing. */
    noteFollowUp: (scope: WorkspaceScope, conversationIds: readonly string[], since: Date, { session }: Session) =>
      runs(scope).updateMany(
        {
          conversationId: { $in: conversationIds },
          outcome: 'completed',
          endedAt: { $gt: since },
          followedUp: { $exists: false },
        },
        { $set: { followedUp: true, uncounted: 'new' } },
        { session },
      ),
    /** Returns runs of a lane that are due, the one that waits longest first. @param without workspaces whose runs are left out. */
    pending: (lane: number, now: Date, limit: number, without: Workspaces = []): PromiseLike<RunRecord[]> =>
      remembered(
        inLane({ lane: String(lane) })
          .find({ retryAt: { $lte: now }, ...notOf(without) })
          .sort({ retryAt: 1, _id: 1 })
          .limit(limit)
          .hint('pending'),
      ),
    /** Returns since when the run of a lane has waited that has waited for longest of those whose delivery has failed. */
    oldestRetriedAt: async (lane: number, without: Workspaces = []): Promise<Date | undefined> => {
      const [oldest] = await inLane({ lane: String(lane) })
        .find({ 'todo.tries': { $gt: 0 }, ...notOf(without) })
        .sort({ 'todo.since': 1 })
        .limit(1)
        .select('todo.since')
        .hint('retried')
      return oldest?.todo && new Date(oldest.todo.since)
    },
    due: (lane: number, now: Date, limit: number, without: Workspaces = []): PromiseLike<RunRecord[]> =>
      remembered(
        dueInLane({ dueLane: String(lane) })
          .find({ dueAt: { $lte: now }, ...notOf(without) })
          .sort({ dueAt: 1 })
          .limit(limit)
          .hint('due-in-lane'),
      ),
    /** Finds lanes with due runs: at most 500 runs for each reason are looked at. */
    dueLanes: async (now: Date, without: Workspaces = []): Promise<number[]> => {
      const found = await Promise.all(
        dueReasons.map((dueFor) =>
          dueWith({ dueFor })
            .find({ dueAt: { $lte: now }, ...notOf(without) })
            .sort({ dueAt: 1 })
            .limit(500)
            .select('dueLane')
            .hint('due'),
        ),
      )
      return [...new Set(found.flat().map(({ dueLane }) => Number(dueLane)))]
    },
    /** Returns the time at which the first of the runs was due that are to continue by themselves. */
    oldestDueAt: async (now: Date, without: Workspaces = []): Promise<Date | undefined> => {
      const first = await Promise.all(
        dueReasons.map((dueFor) =>
          dueWith({ dueFor })
            .find({ dueAt: { $lte: now }, ...notOf(without) })
            .sort({ dueAt: 1 })
            .limit(1)
            .select('dueAt')
            .hint('due'),
        ),
      )
      return first.flatMap(([run]) => run?.dueAt ?? []).sort((left, right) => Number(left) - Number(right))[0]
    },
    /** Ends a live run as soon as it has nothing else to do. @returns it, or `null` where it has ended. */
    endLater: (scope: WorkspaceScope, id: string, reason: string) =>
      runs(scope).findOneAndUpdate({ _id: id, live: true }, ending(reason)),
    /** Releases a held run, with its work where a restore has held it. @returns it, or `null` where it is not held. */
    release: (scope: WorkspaceScope, id: string, now: Date, options: Partial<Session> = {}) =>
      runs(scope).findOneAndUpdate(
        { _id: id, status: 'held' },
        [
          {
            $set: {
              status: either('todo', 'working', either('collect', 'collecting', 'waiting')),
              lane: either('todo', '$home', '$$REMOVE'),
              retryAt: either('todo', now, '$$REMOVE'),
              dueFor: either('todo', '$$REMOVE', either('collect', 'collect', 'timer')),
              dueAt: either('todo', '$$REMOVE', now),
              dueLane: either('todo', '$$REMOVE', '$home'),
            },
          },
          { $unset: ['reason', 'heldBack'] },
        ],
        options,
      ),
    readMany: (scope: WorkspaceScope, ids: readonly string[], { session }: Session) =>
      remembered(
        runs(scope)
          .find({ _id: { $in: ids } })
          .session(session),
      ),
    /** Ends live runs as soon as they have nothing else to do. @returns their number. */
    endMany: async (scope: WorkspaceScope, ids: readonly string[], reason: string, { session }: Session) =>
      (await runs(scope).updateMany({ _id: { $in: ids }, live: true }, ending(reason), { session })).matchedCount,
    /** Returns the conversations of the newest that match, as many as are looked through. */
    conversationsOf: async (scope: WorkspaceScope, filter: Filter<RunRecord>, index: string) => {
      const found = await runs(scope)
        .find(filter)
        .select('conversationId')
        .sort({ createdAt: -1, _id: -1 })
        .limit(maxLookedThrough)
        .hint(index)
      return found.map(({ conversationId }) => conversationId)
    },
    ...createStarts(runs),
    ...createSteps(connection),
    collection: runs,
  }
}

/** Returns an expression that depends on whether a run has a field. */
const either = (field: 'todo' | 'collect', present: unknown, absent: unknown) => ({
  $cond: [{ $eq: [{ $type: `$${field}` }, 'object'] }, present, absent],
})

/** Ends runs with the next sweep, or once they have done what they have to do. */
export const ending = (reason: string) => [
  { $set: { ending: { $literal: reason }, dueAt: new Date(0), dueFor: 'end', dueLane: '$home' } },
]
