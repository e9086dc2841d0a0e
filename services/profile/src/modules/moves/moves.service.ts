import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { movesIn } from './moves.model.ts'

/** Tells whether two cells may have something of a workspace. */
export function createIsMoving(connection: ServiceConnection): (scope: WorkspaceScope) => Promise<boolean> {
  const moves = movesIn(connection)
  return async (scope) => (await moves(scope).findOne({ state: { $ne: 'done' } }, { hint: 'workspace' })) !== null
}
