import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type ContactCountsRecord, contactCountsSchema } from './contact-counts.model.ts'

export type ContactCounts = Omit<ContactCountsRecord, 'id' | 'workspaceId'>

/** The counts of large workspaces, one record each. */
export function createContactCountsRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'contactCounts', schema: contactCountsSchema }
  const counts = workspaceCollection<ContactCountsRecord>(definition)
  return {
    read: (scope: WorkspaceScope) => counts(scope).findOne({}, { hint: 'workspace' }),
    store: (scope: WorkspaceScope, counted: ContactCounts) =>
      counts(scope).findOneAndUpdate({}, { $set: { ...counted } }, { upsert: true }),
  }
}
export type ContactCountsRepository = ReturnType<typeof createContactCountsRepository>
