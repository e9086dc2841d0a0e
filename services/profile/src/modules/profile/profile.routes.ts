import { profileApi, profileInternalApi } from '@parley/contracts/account/profile'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services.ts'

export default async function profileRoutes(
  scope: FastifyInstance,
  { services }: { services: Services },
): Promise<void> {
  mount(scope, profileApi.sync, ({ ctx }) => services.profile.sync(ctx))
  mount(scope, profileApi.user, ({ ctx }) => services.profile.find(ctx))
  mount(scope, profileApi.update, ({ ctx, body }) => services.profile.update(ctx, body))
  mount(scope, profileInternalApi.passwordChanged, ({ body }) => services.profile.tellPasswordChanged(body.userId))
}
