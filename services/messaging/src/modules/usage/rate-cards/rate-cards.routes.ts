import { rateCardsApi } from '@parley/contracts/usage/rate-cards'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function rateCardsRoutes(
  scope: FastifyInstance,
  { services: { rateCards, approvalRules } }: FeatureOptions,
): Promise<void> {
  mount(scope, rateCardsApi.list, ({ ctx }) => rateCards.list(ctx))
  mount(scope, rateCardsApi.create, async ({ ctx, body }) => {
    await approvalRules.checkPriceChange(ctx)
    return rateCards.create(ctx, body)
  })
  mount(scope, rateCardsApi.remove, async ({ ctx, params }) => {
    await approvalRules.checkPriceChange(ctx)
    await rateCards.remove(ctx, params.id)
  })
}
