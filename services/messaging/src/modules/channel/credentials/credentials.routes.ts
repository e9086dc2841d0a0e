import { credentialsApi } from '@parley/contracts/channel/credentials'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { FeatureOptions } from '../../../app.ts'

export default async function credentialsRoutes(scope: FastifyInstance, { services, simulator }: FeatureOptions) {
  const { credentials } = services
  mount(scope, credentialsApi.read, ({ ctx }) => credentials.read(ctx))
  mount(scope, credentialsApi.update, ({ ctx, body }) => credentials.update(ctx, body, simulator))
  mount(scope, credentialsApi.test, ({ ctx, body }) => credentials.test(ctx, body, simulator))
  mount(scope, credentialsApi.regenerateVerifyToken, ({ ctx }) => credentials.regenerateVerifyToken(ctx))
  mount(scope, credentialsApi.removePreviousAppSecret, ({ ctx }) => credentials.removePreviousAppSecret(ctx))
}
