import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type RawEventRecord, rawEventSchema } from './raw-events.model.ts'

export type NewRawEvent = Omit<RawEventRecord, 'id' | 'tries' | 'error' | 'deadAt' | 'appliedAt'>
export type RawEventsRepository = ReturnType<typeof createRawEventsRepository>

const triesUntilDead = 3
const eventKinds = ['message', 'status', 'other'] as const satisfies readonly RawEventRecord['kind'][]

export function createRawEventsRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'rawEvents', schema: rawEventSchema }
  const events = workspaceCollection<RawEventRecord>(definition)
  // A lane holds the work of every workspace: the process that drains it uses the workspace that each event names.
  const inLane = scopedCollection<{ lane: string }, RawEventRecord>(definition, ({ lane }) => ({ lane }))

  const ofKind = scopedCollection<{ kind: string }, RawEventRecord>(definition, ({ kind }) => ({ kind }))

  return {
    insertMany: (scope: WorkspaceScope, records: readonly NewRawEvent[]) =>
      events(scope).insertPlain(records.map((record) => ({ ...record, tries: 0 }))),
    /** Returns a lane's waiting events, oldest first. */
    pending: (lane: number, limit: number): PromiseLike<RawEventRecord[]> =>
      inLane({ lane: String(lane) })
        .find({})
        .sort({ _id: 1 })
        .limit(limit)
        .hint('pending'),
    /** Takes events out of their lane, inside the transaction that applies them. @returns how many were still there. */
    markApplied: async (
      scope: WorkspaceScope,
      ids: readonly string[],
      options: Pick<Tx, 'session'>,
    ): Promise<number> => {
      const applied = { $set: { appliedAt: new Date() }, $unset: { lane: '' } }
      const { modifiedCount } = await events(scope).updateMany(
        { _id: { $in: ids }, lane: { $exists: true } },
        applied,
        options,
      )
      return modifiedCount
    },
    /** Notes a failure; after the third the event is dead and holds its lane up no longer. @returns whether it is. */
    noteFailure: async ({ id, workspaceId, tries }: RawEventRecord, error: string, now: Date): Promise<boolean> => {
      const dead = tries + 1 >= triesUntilDead
      await events({ workspaceId }).updateOne(
        { _id: id },
        {
          $set: { error: error.slice(0, 1000), tries: tries + 1, ...(dead && { deadAt: now }) },
          ...(dead && { $unset: { lane: '' } }),
        },
      )
      return dead
    },
    /** Returns the platform's events about messages, oldest first, while they are kept. */
    about: (scope: WorkspaceScope, waMessageIds: readonly string[]): PromiseLike<RawEventRecord[]> =>
      events(scope)
        .find({ waMessageId: { $in: waMessageIds } })
        .sort({ _id: 1 })
        .limit(20)
        .hint('message'),
    /** Counts the dead events of each workspace. */
    countDead: async (): Promise<{ workspaceId: string; count: number }[]> => {
      const counts = new Map<string, number>()
      for (const kind of eventKinds) {
        const found = await ofKind({ kind }).aggregate<{ _id: string; count: number }>(
          [{ $match: { deadAt: { $exists: true } } }, { $group: { _id: '$workspaceId', count: { $sum: 1 } } }],
          { hint: 'dead' },
        )
        for (const { _id, count } of found) counts.set(_id, (counts.get(_id) ?? 0) + count)
      }
      return [...counts].map(([workspaceId, count]) => ({ workspaceId, count }))
    },
    /** The same of all workspaces together, counted from the keys of an index. */
    countDeadByKind: async (): Promise<Record<RawEventRecord['kind'], number>> => {
      const count = (kind: RawEventRecord['kind']) =>
        ofKind({ kind }).countDocuments({ deadAt: { $gt: new Date(0) } }, { hint: 'dead-of-kind' })
      return { message: await count('message'), status: await count('status'), other: await count('other') }
    },
    dead: (scope: WorkspaceScope, limit: number): PromiseLike<RawEventRecord[]> =>
      events(scope)
        .find({ deadAt: { $exists: true } })
        .sort({ deadAt: -1 })
        .limit(limit)
        .hint('dead'),
    /** Puts dead events back into a lane. @returns how many. */
    replay: async (scope: WorkspaceScope, ids: readonly string[], lane: number): Promise<number> => {
      const back = { $set: { lane: String(lane), tries: 0 }, $unset: { deadAt: '', error: '' } }
      const { modifiedCount } = await events(scope).updateMany({ _id: { $in: ids }, deadAt: { $exists: true } }, back)
      return modifiedCount
    },
    /** Deletes dead events that are not needed. @returns how many. */
    discard: async (scope: WorkspaceScope, ids: readonly string[]): Promise<number> =>
      (await events(scope).deleteMany({ _id: { $in: ids }, deadAt: { $exists: true } })).deletedCount,
  }
}
