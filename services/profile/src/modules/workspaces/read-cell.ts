import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { createWorkspacesRepository } from './workspaces.repository.ts'

/** Reads the cell of a workspace; `undefined` for the home cell. */
export function readCell(connection: ServiceConnection) {
  const { find } = createWorkspacesRepository(connection)
  return async (scope: WorkspaceScope): Promise<string | undefined> => (await find(scope))?.cell
}
