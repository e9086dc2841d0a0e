import { identityApi } from '@parley/contracts/account/identity'
import { mount } from '@parley/service-kit/http/mount'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services.ts'

export default async function accountsRoutes(
  scope: FastifyInstance,
  { services }: { services: Services },
): Promise<void> {
  const { accounts } = services
  mount(scope, identityApi.createAccount, ({ body }) => accounts.create(body))
  mount(scope, identityApi.setPassword, ({ params, body }) => accounts.setPassword(params.sub, body.password))
  mount(scope, identityApi.sendVerification, ({ params }) => accounts.sendVerification(params.sub))
  mount(scope, identityApi.sendPasswordReset, ({ body }) => accounts.sendPasswordReset(body.email))
  mount(scope, identityApi.clearFailures, ({ body }) => accounts.clearFailures(body.email, new Date(body.mailedAt)))
  mount(scope, identityApi.endSessions, ({ params }) => accounts.endSessions(params.sub))
  mount(scope, identityApi.endSession, ({ params, body }) => accounts.endSession(params.sub, body.sid))
  mount(scope, identityApi.endAccount, ({ params, body }) => accounts.end(params.sub, body.how))
  mount(scope, identityApi.reclaimAccount, ({ params, body }) => accounts.reclaim(params.sub, body.keepSession))
}
