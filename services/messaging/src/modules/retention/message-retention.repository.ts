import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type RetentionRecord, retentionSchema, watched } from './message-retention.model.ts'

const maxDue = 1000
type Fields = Pick<RetentionRecord, 'months' | 'next' | 'by' | 'watch' | 'dueAt'>
export type RetentionRepository = ReturnType<typeof createRetentionRepository>

export function createRetentionRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'messageRetention', schema: retentionSchema }
  const records = workspaceCollection<RetentionRecord>(definition)
  const marks = workspaceCollection<RetentionRecord>({ ...definition, bookkeeping: true })
  const inWatch = scopedCollection<{ watch: string }, RetentionRecord>(definition, ({ watch }) => ({ watch }))

  return {
    read: (scope: WorkspaceScope, options: Partial<Pick<Tx, 'session'>> = {}) =>
      records(scope).findOne({}, { hint: 'workspace', ...options }),
    /** @throws a duplicate key where there is one. */
    create: (scope: WorkspaceScope, fields: Fields): Promise<RetentionRecord | null> =>
      records(scope).create({ ...fields, revision: 1, removed: 0 }),
    /** Changes it where it is as it was seen. */
    change: (scope: WorkspaceScope, revision: number, fields: Fields): Promise<RetentionRecord | null> => {
      const { months, next, by, watch, dueAt } = fields
      return records(scope).findOneAndUpdate(
        { revision },
        {
          $set: { months, by, ...(next && { next }), ...(watch && { watch, dueAt }) },
          $unset: { ...(!next && { next: 1 as const }), ...(!watch && { watch: 1 as const, dueAt: 1 as const }) },
          $inc: { revision: 1 },
        },
      )
    },
    /** Counts deleted messages while the setting is as it was read: a change of it meanwhile conflicts. @returns whether it is. */
    count: async (
      scope: WorkspaceScope,
      { revision }: Pick<RetentionRecord, 'revision'>,
      removed: number,
      { session }: Pick<Tx, 'session'>,
    ): Promise<boolean> =>
      (await marks(scope).updateOne({ revision }, { $inc: { removed } }, { session })).matchedCount > 0,
    /** Ends the work for now. */
    end: (
      scope: WorkspaceScope,
      { revision }: Pick<RetentionRecord, 'revision'>,
      dueAt: Date,
      { session }: Pick<Tx, 'session'>,
    ) => marks(scope).updateOne({ revision }, { $set: { dueAt, removed: 0 } }, { session }),
    /** Records of all workspaces that have work, those that wait longest first. */
    due: (now: Date): PromiseLike<RetentionRecord[]> =>
      inWatch({ watch: watched })
        .find({ dueAt: { $lte: now } })
        .sort({ dueAt: 1 })
        .limit(maxDue)
        .hint('due'),
  }
}
