import { inboxApi } from '@parley/contracts/platform/service-messages'
import { scopeOf } from '@parley/service-kit/http/context'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function departuresRoutes(
  scope: FastifyInstance,
  { services: { departures } }: FeatureOptions,
): Promise<void> {
  mount(scope, inboxApi.receive, ({ ctx, body }) => departures.receive(scopeOf(ctx), body.messages))
}
