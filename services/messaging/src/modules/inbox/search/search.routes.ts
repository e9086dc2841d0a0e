import { messagesApi } from '@parley/contracts/inbox/message-endpoints'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function searchRoutes(scope: FastifyInstance, { services }: FeatureOptions): Promise<void> {
  mount(scope, messagesApi.search, async ({ ctx, query }) => {
    // One conversation is read itself.
    const isReady = query.conversation !== undefined || (await services.sampleData.makeSearchable(ctx))
    return services.search.find(ctx, query, { isReady })
  })
}
