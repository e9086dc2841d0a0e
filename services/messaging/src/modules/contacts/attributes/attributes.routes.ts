import { attributesApi } from '@parley/contracts/contacts/contact-attributes'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function attributesRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  const { attributes } = services
  mount(scope, attributesApi.list, async ({ ctx }) => ({ items: await attributes.list(ctx) }))
  mount(scope, attributesApi.create, ({ ctx, body }) => attributes.create(ctx, body))
  mount(scope, attributesApi.update, ({ ctx, params, body }) => attributes.update(ctx, params.id, body))
  mount(scope, attributesApi.remove, ({ ctx, params }) => attributes.remove(ctx, params.id))
}
