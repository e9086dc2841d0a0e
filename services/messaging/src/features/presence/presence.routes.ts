import { conversationsApi } from '@parley/contracts/conversations'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../app.ts'

export default async function presenceRoutes(
  scope: FastifyInstance,
  { services, presence }: FeatureOptions,
): Promise<void> {
  mount(scope, conversationsApi.presence, async ({ ctx, params: { id }, body: { state } }) => {
    await services.conversations.read(ctx, id)
    await presence.say(ctx, id, state)
  })
}
