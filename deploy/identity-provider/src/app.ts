import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Logger } from '@parley/service-kit/core/logger'
import express, { type ErrorRequestHandler, Router, urlencoded } from 'express'
import { z } from 'zod'
import { adminRoutes } from './admin/routes.ts'
import type { Config } from './config.ts'
import { googleEndpoint, googleRoutes } from './google/routes.ts'
import { HttpError, send } from './http.ts'
import { mailLinkRoutes } from './mail-link-routes.ts'
import { oidcEndpoints } from './oidc/endpoints.ts'
import { openRealm } from './open-realm.ts'
import { securityHeaders } from './pages/layout.ts'
import type { Realm } from './realm.ts'
import { realmConfigs } from './realm-config.ts'
import { signInRoutes } from './sign-in-routes.ts'
import { removeExpired } from './store/records.ts'

const purgeEveryMs = 10 * 60_000
const closeGraceMs = 5000

/** The whole provider, not yet listening. */
export async function createIdentityProvider(config: Config, logger: Logger) {
  const settings = { origin: config.ISSUER_ORIGIN, dataDir: config.DATA_DIR, smtpUrl: config.SMTP_URL, logger }
  const [parleyConfig, googleConfig] = realmConfigs(config)
  const parley = await openRealm(parleyConfig, settings)
  const google = await openRealm(googleConfig, settings)
  const databases = [parley.database, google.database]
  const purging = setInterval(() => databases.map(removeExpired), purgeEveryMs)

  const app = express()
    .disable('x-powered-by')
    .disable('etag')
    .set('query parser', 'simple')
    .use((_req, res, next) => {
      res.set(securityHeaders)
      next()
    })
    .get(['/healthz', '/readyz'], (_req, res) => res.json({ status: 'ok' }))
    .use('/realms/parley', realmRoutes(parley))
    .use('/realms/google-offline', realmRoutes(google))
    .use('/admin', adminRoutes(parley))
    .use('/realms', notFound('Realm does not exist'))
    .use(notFound('Unable to find matching target resource method'))
    .use(answerError(logger))
  const timeouts = { requestTimeout: 15_000, headersTimeout: 10_000, keepAliveTimeout: 72_000 }
  const server = createServer(timeouts, app)

  /** Takes no new requests, and lets running ones finish. */
  async function close(): Promise<void> {
    clearInterval(purging)
    setTimeout(() => server.closeAllConnections(), closeGraceMs).unref()
    server.close()
    await once(server, 'close')
    for (const database of databases) database.close()
  }
  return { server, close }
}

function realmRoutes(realm: Realm): Router {
  const { google } = realm.config
  const pages = Router()
    .use(urlencoded({ limit: '64kb' }))
    .use('/action-token', mailLinkRoutes(realm))
    .use('/authenticate', signInRoutes(realm))
  const routes = Router().use('/login-actions', pages)
  if (google) {
    pages.use('/authenticate', googleRoutes(realm, google))
    routes.get('/broker/google/endpoint', googleEndpoint(realm))
  }
  return routes
    .use('/protocol/openid-connect', oidcEndpoints(realm))
    .all(['/.well-known/openid-configuration', '/protocol/openid-connect/{*path}'], realm.provider.callback())
    .use(notFound('HTTP 404 Not Found'))
}

const notFound = (error: string) => () => {
  throw new HttpError(404, { error })
}

/** Error of Express: a body that is too large or not JSON, a path with a broken escape. */
const badInputSchema = z.object({ status: z.number().int().min(400).max(499) })

const answerError =
  (logger: Logger): ErrorRequestHandler =>
  (error, req, res, _next) => {
    if (error instanceof HttpError) return send(res, error.reply)
    const badInput = badInputSchema.safeParse(error)
    if (badInput.success) return send(res, { status: badInput.data.status, body: { error: 'invalid_request' } })
    logger.error({ err: error, method: req.method, path: req.path }, 'request failed')
    send(res, { status: 500, body: { error: 'unknown_error', error_description: 'See the log of the server.' } })
  }
