import { rateCardsApi } from '@parley/contracts/usage/rate-cards'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function rateCardsRoutes(
  scope: FastifyInstance,
  { services: { rateCards } }: FeatureOptions,
): Promise<void> {
  mount(scope, rateCardsApi.list, ({ ctx }) => rateCards.list(ctx))
  mount(scope, rateCardsApi.create, ({ ctx, body }) => rateCards.create(ctx, body))
  mount(scope, rateCardsApi.remove, ({ ctx, params }) => rateCards.remove(ctx, params.id))
}
