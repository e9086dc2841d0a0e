import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { Tx } from '@parley/service-kit/data/transaction'
import { type Limited, limitsModel } from './limits.model.ts'

export type HoldLimit = ReturnType<typeof createHoldLimit>

/**
 * Makes transactions that count before they add wait for each other: of two at once one runs again and counts what the other has
 * added. Without it both would see the same room.
 */
export function createHoldLimit(connection: ServiceConnection) {
  const limits = limitsModel(connection)
  return async (scope: WorkspaceScope, of: Limited, { session }: Pick<Tx, 'session'>): Promise<void> => {
    await limits(scope).updateOne({ of }, { $inc: { turns: 1 } }, { session, upsert: true })
  }
}
