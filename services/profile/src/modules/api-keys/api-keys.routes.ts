import { apiKeysApi } from '@parley/contracts/account/api-key-endpoints'
import { keysInternalApi } from '@parley/contracts/account/api-keys'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services.ts'

export default async function apiKeysRoutes(
  scope: FastifyInstance,
  { services: { apiKeys } }: { services: Services },
): Promise<void> {
  mount(scope, apiKeysApi.list, ({ ctx }) => apiKeys.list(ctx))
  mount(scope, apiKeysApi.create, ({ ctx, body }) => apiKeys.create(ctx, body))
  mount(scope, apiKeysApi.update, ({ ctx, params, body }) => apiKeys.update(ctx, params.id, body))
  mount(scope, apiKeysApi.rotate, ({ ctx, params, body }) => apiKeys.rotate(ctx, params.id, body))
  mount(scope, apiKeysApi.revoke, ({ ctx, params }) => apiKeys.revoke(ctx, params.id))
  mount(scope, keysInternalApi.context, ({ body }) => apiKeys.context(body))
  mount(scope, keysInternalApi.seen, ({ body }) => apiKeys.noteUses(body.items))
}
