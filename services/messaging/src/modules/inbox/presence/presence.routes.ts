import { conversationsApi } from '@parley/contracts/inbox/conversations'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function presenceRoutes(
  scope: FastifyInstance,
  { services, presence, showTyping }: FeatureOptions,
): Promise<void> {
  mount(scope, conversationsApi.presence, async ({ ctx, params: { id }, body: { state } }) => {
    const conversation = await services.conversations.read(ctx, id)
    await presence.announce(ctx, id, state)
    // The request does not wait for the platform, and nothing depends on it.
    if (state === 'typing')
      showTyping(ctx, conversation).catch((err: unknown) =>
        scope.log.debug({ err }, 'the customer was not shown the typing'),
      )
  })
}
