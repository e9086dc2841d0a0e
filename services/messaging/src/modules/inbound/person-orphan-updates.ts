import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type OrphanUpdatesRecord, orphanUpdatesSchema } from './orphan-updates.model.ts'

/** Deletes updates that wait for messages of a person. */
export function createRemoveOrphanUpdates(connection: ServiceConnection) {
  const parked = workspaceCollection<OrphanUpdatesRecord>({ connection, name: 'parked', schema: orphanUpdatesSchema })
  return {
    about: (scope: WorkspaceScope, waMessageIds: readonly string[]) =>
      parked(scope).deleteMany({ waMessageId: { $in: waMessageIds } }),
    naming: async (scope: WorkspaceScope, person: RegExp): Promise<void> => {
      for await (const { id, pieces } of parked(scope).find({}).hint('wamid'))
        if (person.test(JSON.stringify(pieces))) await parked(scope).deleteOne({ _id: id })
    },
  }
}
