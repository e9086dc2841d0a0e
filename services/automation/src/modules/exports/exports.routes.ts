import { workspaceExportInternalApi } from '@parley/contracts/account/workspace-export'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function exportsRoutes(
  scope: FastifyInstance,
  { services: { exportOf } }: FeatureOptions,
): Promise<void> {
  mount(scope, workspaceExportInternalApi.automationRecords, ({ ctx, params }) => exportOf(ctx, params.file))
}
