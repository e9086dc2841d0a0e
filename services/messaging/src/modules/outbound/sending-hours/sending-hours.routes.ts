import { sendingHoursApi } from '@parley/contracts/campaigns/sending-hours'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function sendingHoursRoutes(
  scope: FastifyInstance,
  { services: { sendingHours } }: FeatureOptions,
): Promise<void> {
  mount(scope, sendingHoursApi.read, ({ ctx }) => sendingHours.read(ctx))
  mount(scope, sendingHoursApi.update, ({ ctx, body }) => sendingHours.update(ctx, body))
}
