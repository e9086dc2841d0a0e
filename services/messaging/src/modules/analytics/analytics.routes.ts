import { dashboardApi } from '@parley/contracts/platform/dashboard'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function analyticsRoutes(
  scope: FastifyInstance,
  { services: { readDashboard } }: FeatureOptions,
): Promise<void> {
  mount(scope, dashboardApi.read, ({ ctx }) => readDashboard(ctx))
}
