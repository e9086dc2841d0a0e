import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type ActionKeyRecord, actionKeySchema } from './action-keys.model.ts'

export type { ActionKeyRecord } from './action-keys.model.ts'
/** Store of done actions by their idempotency keys. */
export function createActionKeys(connection: ServiceConnection) {
  const collection = workspaceCollection<ActionKeyRecord>({ connection, name: 'actionKeys', schema: actionKeySchema })
  return {
    known: async (scope: WorkspaceScope, keys: readonly string[], { session }: Pick<Tx, 'session'>) => {
      const found =
        keys.length > 0
          ? await collection(scope)
              .find({ key: { $in: keys } })
              .hint('key')
              .session(session)
          : []
      return new Map(found.map((record) => [record.key, record]))
    },
    add: async (
      scope: WorkspaceScope,
      records: readonly Omit<ActionKeyRecord, 'id' | 'workspaceId' | 'createdAt'>[],
      { session }: Pick<Tx, 'session'>,
    ): Promise<void> => {
      if (records.length > 0) await collection(scope).insertMany(records, { session, ordered: true })
    },
  }
}
