import { profileApi, type User } from '@parley/contracts/account/profile'
import { profileInternalApi } from '@parley/contracts/account/profile-internal'
import type { UserContext } from '@parley/service-kit/http/context'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services.ts'

export default async function profileRoutes(
  scope: FastifyInstance,
  { services }: { services: Services },
): Promise<void> {
  mount(scope, profileApi.sync, async ({ ctx }) => asViewed(ctx, await services.profile.sync(ctx)))
  mount(scope, profileApi.user, async ({ ctx }) => asViewed(ctx, await services.profile.find(ctx)))
  mount(scope, profileApi.update, async ({ ctx, body }) => asViewed(ctx, await services.profile.update(ctx, body)))
  mount(scope, profileInternalApi.passwordChanged, ({ body }) => services.profile.tellPasswordChanged(body.userId))
}

/** The page behaves as for the role that its person looks at the workspace as. */
const asViewed = ({ role, claims: { viewing } }: UserContext, user: User): User =>
  viewing ? { ...user, role, viewing } : user
