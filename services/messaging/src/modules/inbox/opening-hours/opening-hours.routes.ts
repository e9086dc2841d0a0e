import { openingHoursApi } from '@parley/contracts/inbox/opening-hours'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function openingHoursRoutes(
  scope: FastifyInstance,
  { services: { openingHours } }: FeatureOptions,
): Promise<void> {
  mount(scope, openingHoursApi.read, ({ ctx }) => openingHours.read(ctx))
  mount(scope, openingHoursApi.update, ({ ctx, body }) => openingHours.update(ctx, body))
}
