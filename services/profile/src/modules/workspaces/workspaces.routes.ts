import { workspaceApi } from '@parley/contracts/account/workspace'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services.ts'

export default async function workspacesRoutes(
  scope: FastifyInstance,
  { services: { workspaces } }: { services: Services },
): Promise<void> {
  mount(scope, workspaceApi.read, ({ ctx }) => workspaces.read(ctx))
  mount(scope, workspaceApi.update, ({ ctx, body }) => workspaces.update(ctx, body))
  mount(scope, workspaceApi.create, ({ ctx, body }) => workspaces.create(ctx, body.name))
  mount(scope, workspaceApi.list, async ({ ctx }) => ({ items: await workspaces.list(ctx) }))
}
