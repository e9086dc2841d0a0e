import { ratingApi } from '@parley/contracts/inbox/ratings'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function ratingsRoutes(
  scope: FastifyInstance,
  { services: { ratings } }: FeatureOptions,
): Promise<void> {
  mount(scope, ratingApi.read, ({ ctx }) => ratings.read(ctx))
  mount(scope, ratingApi.update, ({ ctx, body }) => ratings.update(ctx, body))
}
