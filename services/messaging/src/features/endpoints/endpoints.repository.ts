import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { scopedCollection, type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { type EndpointRecord, endpointSchema } from './endpoints.model.ts'

export type EndpointsRepository = ReturnType<typeof createEndpointsRepository>

export function createEndpointsRepository(connection: ServiceConnection) {
  const definition = { connection, name: 'endpoints', schema: endpointSchema }
  const endpoints = workspaceCollection<EndpointRecord>(definition)
  const byAddress = scopedCollection<{ publicId: string }, EndpointRecord>(definition, ({ publicId }) => ({ publicId }))
  return {
    find: (scope: WorkspaceScope) => endpoints(scope).findOne({}),
    findByAddress: (publicId: string) => byAddress({ publicId }).findOne({}),
    create: (scope: WorkspaceScope, endpoint: Pick<EndpointRecord, 'publicId' | 'verifyToken' | 'appSecrets'>) =>
      endpoints(scope).create(endpoint),
    /** The newest secret first; at most two. */
    addSecret: (scope: WorkspaceScope, secrets: readonly string[]) =>
      endpoints(scope).findOneAndUpdate({}, { $set: { appSecrets: secrets.slice(0, 2) } }),
  }
}
