import { sampleDataApi } from '@parley/contracts/platform/sample-data'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function sampleDataRoutes(
  scope: FastifyInstance,
  { services: { sampleData }, simulator }: FeatureOptions,
): Promise<void> {
  mount(scope, sampleDataApi.state, ({ ctx }) => sampleData.state(ctx))
  mount(scope, sampleDataApi.load, ({ ctx }) => sampleData.load(ctx, simulator))
  mount(scope, sampleDataApi.clear, ({ ctx }) => sampleData.clear(ctx, simulator))
}
