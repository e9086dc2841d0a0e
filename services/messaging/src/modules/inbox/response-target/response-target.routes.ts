import { responseTargetApi } from '@parley/contracts/inbox/response-target'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function responseTargetRoutes(
  scope: FastifyInstance,
  { services: { responseTarget } }: FeatureOptions,
): Promise<void> {
  mount(scope, responseTargetApi.read, ({ ctx }) => responseTarget.read(ctx))
  mount(scope, responseTargetApi.update, ({ ctx, body }) => responseTarget.update(ctx, body))
}
