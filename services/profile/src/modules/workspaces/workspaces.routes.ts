import { profileInternalApi } from '@parley/contracts/account/profile-internal'
import { workspaceApi } from '@parley/contracts/account/workspace'
import { workspaceDeletionApi, workspaceErasureApi } from '@parley/contracts/account/workspace-deletion'
import { workspaceExportInternalApi } from '@parley/contracts/account/workspace-export'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services.ts'

export default async function workspacesRoutes(
  scope: FastifyInstance,
  { services: { workspaces, deletion, erasures, exportOf } }: { services: Services },
): Promise<void> {
  mount(scope, workspaceApi.read, ({ ctx }) => workspaces.read(ctx))
  mount(scope, workspaceApi.update, ({ ctx, body }) => workspaces.update(ctx, body))
  mount(scope, workspaceApi.create, ({ ctx, body }) => workspaces.create(ctx, body.name))
  mount(scope, workspaceDeletionApi.begin, ({ ctx, body }) => deletion.begin(ctx, body.name))
  mount(scope, workspaceDeletionApi.eraseNow, ({ ctx, body }) => deletion.eraseNow(ctx, body.name))
  mount(scope, workspaceDeletionApi.restore, ({ ctx }) => deletion.restore(ctx))
  mount(scope, profileInternalApi.cell, async ({ params }) => ({ cell: await workspaces.cellOf(params) }))
  mount(scope, workspaceErasureApi.due, async ({ ctx, query }) => ({
    workspaceIds: await erasures.due(ctx, query.cell),
  }))
  mount(scope, workspaceErasureApi.report, ({ ctx, params, body }) => erasures.report(ctx, params.id, body.removed))
  mount(scope, workspaceExportInternalApi.profileRecords, ({ ctx, params }) => exportOf(ctx, params.file))
  mount(scope, workspaceApi.list, async ({ ctx }) => ({ items: await workspaces.list(ctx) }))
}
