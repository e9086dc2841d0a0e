import { workspaceExportApi } from '@parley/contracts/account/workspace-export'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function workspaceExportsRoutes(
  scope: FastifyInstance,
  { services: { workspaceExports } }: FeatureOptions,
): Promise<void> {
  mount(scope, workspaceExportApi.list, async ({ ctx }) => ({ items: await workspaceExports.list(ctx) }))
  mount(scope, workspaceExportApi.begin, ({ ctx }) => workspaceExports.begin(ctx))
  mount(scope, workspaceExportApi.cancel, ({ ctx, params }) => workspaceExports.cancel(ctx, params.id))
  mount(scope, workspaceExportApi.remove, ({ ctx, params }) => workspaceExports.remove(ctx, params.id))
  mount(scope, workspaceExportApi.download, ({ ctx, params }) => workspaceExports.download(ctx, params.id))
}
