import { publicMessagesApi } from '@parley/contracts/platform/public-api'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function publicApiRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  const { publicMessages } = services
  mount(scope, publicMessagesApi.send, ({ ctx, body }) => publicMessages.send(ctx, body))
  mount(scope, publicMessagesApi.read, ({ ctx, params }) => publicMessages.read(ctx, params.id))
}
