import { segmentsApi } from '@parley/contracts/contacts/segments'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function segmentsRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  const { segments } = services
  mount(scope, segmentsApi.list, async ({ ctx }) => ({ items: await segments.list(ctx) }))
  mount(scope, segmentsApi.create, ({ ctx, body }) => segments.create(ctx, body))
  mount(scope, segmentsApi.update, ({ ctx, params, body }) => segments.update(ctx, params.id, body))
  mount(scope, segmentsApi.remove, ({ ctx, params }) => segments.remove(ctx, params.id))
}
