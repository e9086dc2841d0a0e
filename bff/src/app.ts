import { keyCallsApi } from '@parley/contracts/account/api-keys'
import { authApi } from '@parley/contracts/account/auth-endpoints'
import { oneCell } from '@parley/service-kit/core/cells'
import type { Metrics } from '@parley/service-kit/core/metrics'
import express, { type Express } from 'express'
import { mountAccount } from './auth/account.routes.ts'
import { mountActiveSessions } from './auth/active-sessions.routes.ts'
import type { AuthDependencies } from './auth/auth.ts'
import { mountAuthorize } from './auth/authorize.routes.ts'
import { backchannelLogoutPath, mountBackchannelLogout } from './auth/backchannel-logout.routes.ts'
import { mountHandlerPage } from './auth/handler-page.ts'
import { mountPassword } from './auth/password.routes.ts'
import { mountProjects } from './auth/projects.routes.ts'
import { mountSession } from './auth/session.routes.ts'
import { mountToken } from './auth/token.routes.ts'
import { mountWorkspace } from './auth/workspace.routes.ts'
import type { Config } from './config.ts'
import { createCsrfGuard } from './http/csrf.ts'
import { refuseOtherMethods } from './http/endpoint.ts'
import { errorHandler } from './http/error-handler.ts'
import { createRequestLog } from './http/request-log.ts'
import { securityHeaders } from './http/security-headers.ts'
import { staticSite } from './http/static-site.ts'
import { mountKeyCalls, mountPublicApi, type PublicApi, refuseKeys } from './public-api/public-api.ts'
import type { Readiness } from './readiness.ts'
import type { SeenMembers } from './session/seen-members.ts'
import { mountApiProxy, unknownApi, upstreams } from './upstream/api-proxy.ts'
import type { EventStreams } from './upstream/event-streams.ts'
import type { createUserTokens } from './upstream/user-token.ts'

export interface AppDependencies extends AuthDependencies {
  readonly metrics: Metrics
  readonly readiness: Readiness
  readonly userToken: ReturnType<typeof createUserTokens>
  readonly eventStreams: EventStreams
  readonly seenMembers: SeenMembers
  readonly publicApi: PublicApi
}

/** The whole public face, in the order in which a request meets it. */
export function buildApp(
  config: Pick<
    Config,
    | 'PUBLIC_ORIGIN'
    | 'PHOTO_HOSTS'
    | 'TRUST_PROXY_HOPS'
    | 'STATIC_DIR'
    | 'PROFILE_URL'
    | 'IDENTITY_URL'
    | 'MESSAGING_URL'
    | 'AUTOMATION_URL'
    | 'CELLS'
  >,
  dependencies: AppDependencies,
): Express {
  const app = express()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  app.disable('etag')
  app.set('trust proxy', config.TRUST_PROXY_HOPS)

  app.use(createRequestLog(dependencies.logger, dependencies.metrics))
  app.use(securityHeaders({ publicOrigin: config.PUBLIC_ORIGIN, photoHosts: config.PHOTO_HOSTS }))
  mountHealth(app, dependencies.readiness)

  const services = upstreams(config, config.CELLS ?? oneCell)
  mountPublicApi(app, { ...dependencies.publicApi, upstreams: services, publicOrigin: config.PUBLIC_ORIGIN })
  app.use(refuseKeys)

  app.use(createCsrfGuard(config.PUBLIC_ORIGIN, new Set([backchannelLogoutPath])))
  // The calls that come most often first: routes are tried in this order.
  mountApiProxy(app, {
    upstreams: services,
    requireSession: dependencies.gate.requireContext,
    userToken: dependencies.userToken,
    eventStreams: dependencies.eventStreams,
    noteSeen: dependencies.seenMembers.note,
  })
  mountToken(app, dependencies)
  mountSession(app, dependencies)
  mountAccount(app, dependencies)
  mountBackchannelLogout(app, dependencies)
  mountAuthorize(app, dependencies)
  mountHandlerPage(app)
  mountActiveSessions(app, dependencies)
  mountWorkspace(app, dependencies)
  mountPassword(app, dependencies)
  mountKeyCalls(app, dependencies)
  mountProjects(app, dependencies)
  refuseOtherMethods(app, [...Object.values(authApi), ...Object.values(keyCallsApi)])

  for (const path of ['/api', '/auth', '/v1']) app.use(path, unknownApi)

  app.use(staticSite(config.STATIC_DIR))
  app.use(errorHandler)
  return app
}

function mountHealth(app: Express, readiness: Readiness): void {
  app.get('/healthz', (_req, res) => {
    res.locals.operation = 'ops.health'
    res.json({ status: 'ok' })
  })
  app.get('/readyz', async (_req, res) => {
    res.locals.operation = 'ops.ready'
    const { ready, parts } = await readiness.check()
    res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready', parts })
  })
}
