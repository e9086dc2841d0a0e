import { importRowsApi } from '@parley/contracts/contacts/import-rows'
import { importsApi } from '@parley/contracts/contacts/imports'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function importsRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  const { imports, importRows } = services
  mount(scope, importsApi.create, ({ ctx, body, query }) => imports.create(ctx, body, query.name))
  mount(scope, importsApi.list, ({ ctx, query }) => imports.list(ctx, query))
  mount(scope, importsApi.read, ({ ctx, params }) => imports.read(ctx, params.id))
  mount(scope, importsApi.update, ({ ctx, params, body }) => imports.update(ctx, params.id, body))
  mount(scope, importsApi.check, ({ ctx, params }) => imports.check(ctx, params.id))
  mount(scope, importsApi.run, ({ ctx, params, query }) => imports.run(ctx, params.id, query.startWorkflows === 'true'))
  mount(scope, importsApi.cancel, ({ ctx, params }) => imports.cancel(ctx, params.id))
  mount(scope, importsApi.undo, ({ ctx, params }) => imports.undo(ctx, params.id))
  mount(scope, importRowsApi.list, async ({ ctx, params, query }) =>
    importRows.page(ctx, await imports.find(ctx, params.id), query),
  )
  mount(scope, importRowsApi.download, async ({ ctx, params, query }) =>
    importRows.download(ctx, await imports.find(ctx, params.id), query),
  )
}
