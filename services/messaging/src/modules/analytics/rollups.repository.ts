import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import type { DayCounts } from './levels.ts'
import { type Part, type RollupRecord, rollupSchema } from './rollups.model.ts'

/** Days of one scope, the first and the last of them included. */
export interface Days {
  readonly scope: string
  readonly from: string
  readonly to: string
}
export type RollupsRepository = ReturnType<typeof createRollupsRepository>

export function createRollupsRepository(connection: ServiceConnection) {
  const rollups = workspaceCollection<RollupRecord>({ connection, name: 'rollups', schema: rollupSchema })
  return {
    /** In the transaction of what the changes follow from. */
    add: async (
      scope: WorkspaceScope,
      { part, changes }: { part: Part; changes: readonly DayCounts[] },
      { session }: Pick<Tx, 'session'>,
    ): Promise<void> => {
      if (changes.length === 0) return
      const writes = changes.map(({ scope: counted, day, slots }) => {
        const entries = Object.entries(slots).flatMap(([slot, counts]) =>
          Object.entries(counts).map(([metric, count]) => [`slots.${slot}.${metric}`, count] as const),
        )
        const filter = { scope: counted, day, part }
        return { updateOne: { filter, update: { $inc: Object.fromEntries(entries) }, upsert: true } }
      })
      await rollups(scope).bulkWrite(writes, { session, ordered: false })
    },
    /** Counters of all scopes. */
    ofDay: (scope: WorkspaceScope, day: string, { session }: Pick<Tx, 'session'>): AsyncIterable<RollupRecord> =>
      rollups(scope).find({ day }).hint('of-day').session(session),
    read: (
      scope: WorkspaceScope,
      { scope: counted, from, to }: Days,
      { session = null }: { session?: Tx['session'] | null } = {},
    ): PromiseLike<RollupRecord[]> =>
      rollups(scope)
        .find({ scope: counted, day: { $gte: from, $lte: to } })
        .sort({ day: 1 })
        .hint('day')
        .session(session),
    /** Reads the counters of all scopes with one beginning, those of erased messages excluded. @param days.of `bot:` */
    readAll: (
      scope: WorkspaceScope,
      { of, from, to }: Pick<Days, 'from' | 'to'> & { of: string },
    ): PromiseLike<RollupRecord[]> =>
      rollups(scope)
        .find({ scope: { $gte: of, $lt: `${of}~` }, day: { $gte: from, $lte: to }, part: { $ne: 'erased' } })
        .hint('day'),
  }
}
