import { assignmentApi } from '@parley/contracts/inbox/assignment'
import { availabilityApi } from '@parley/contracts/inbox/availability'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function assignmentRoutes(
  scope: FastifyInstance,
  { services: { assignment, availability } }: FeatureOptions,
): Promise<void> {
  mount(scope, assignmentApi.read, ({ ctx }) => assignment.read(ctx))
  mount(scope, assignmentApi.update, ({ ctx, body }) => assignment.update(ctx, body))
  mount(scope, availabilityApi.list, ({ ctx }) => availability.list(ctx))
  mount(scope, availabilityApi.update, ({ ctx, body }) => availability.update(ctx, body))
}
