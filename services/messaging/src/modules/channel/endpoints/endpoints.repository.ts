import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type EndpointRecord, endpointSchema } from './endpoints.model.ts'

type NewEndpoint = Omit<EndpointRecord, 'id' | 'workspaceId' | 'version' | 'appSecrets'>
export type EndpointChange = Partial<
  Pick<EndpointRecord, 'verifyToken' | 'verifyTokenLast4' | 'verifyTokenAt' | 'appSecrets'>
>

export function createEndpointsRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'endpoints', schema: endpointSchema }
  const endpoints = workspaceCollection<EndpointRecord>(definition)
  const byAddress = scopedCollection<{ publicId: string }, EndpointRecord>(definition, ({ publicId }) => ({ publicId }))
  return {
    find: (scope: WorkspaceScope) => endpoints(scope).findOne({}),
    findByAddress: (publicId: string) => byAddress({ publicId }).findOne({}),
    /** The endpoint that is there, else this one. */
    ensure: (scope: WorkspaceScope, endpoint: NewEndpoint) =>
      endpoints(scope).findOneAndUpdate({}, { $setOnInsert: { ...endpoint, appSecrets: [] } }, { upsert: true }),
    /** @returns `null` where another change came first. */
    change: (scope: WorkspaceScope, version: number, change: EndpointChange) =>
      endpoints(scope).findOneAndUpdate({ version }, { $set: change }),
  }
}
