import { assignmentApi } from '@parley/contracts/inbox/assignment'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function assignmentRoutes(
  scope: FastifyInstance,
  { services: { assignment } }: FeatureOptions,
): Promise<void> {
  mount(scope, assignmentApi.read, ({ ctx }) => assignment.read(ctx))
  mount(scope, assignmentApi.update, ({ ctx, body }) => assignment.update(ctx, body))
}
