import { createServer } from 'node:http'
import { promisify } from 'node:util'
import type { Logger } from '@parley/service-kit/core/logger'
import express, { type ErrorRequestHandler, Router, urlencoded } from 'express'
import { z } from 'zod'
import { adminRoutes } from './admin.ts'
import type { Config } from './config.ts'
import { googleReturnRoutes, googleRoutes } from './google.ts'
import { HttpError } from './http.ts'
import { mailLinkRoutes } from './mail-links.ts'
import { logout } from './oidc/sessions.ts'
import { openRealm } from './open-realm.ts'
import { securityHeaders } from './pages/layout.ts'
import { signInRoutes } from './sign-in.ts'

const closeGraceMs = 5000

/** The whole provider, not yet listening. */
export async function createIdentityProvider(config: Config, logger: Logger) {
  const realm = await openRealm(config, logger)
  const forms = urlencoded({ limit: '64kb' })
  const app = express()
    .disable('x-powered-by')
    .disable('etag')
    .set('query parser', 'simple')
    .use((_req, res, next) => {
      res.set(securityHeaders)
      next()
    })
    .get('/readyz', (_req, res) => res.json({ status: 'ok' }))
    .use(
      '/realms/parley',
      Router()
        .use('/login-actions/action-token', forms, mailLinkRoutes(realm))
        .use('/login-actions/authenticate', forms, googleReturnRoutes(realm), signInRoutes(realm))
        .post('/protocol/openid-connect/logout', forms, logout(realm))
        .all(['/.well-known/openid-configuration', '/protocol/openid-connect/{*path}'], realm.provider.callback()),
    )
    .use('/realms/google-offline', googleRoutes())
    .use('/admin/realms/parley', adminRoutes(realm))
    .use(() => {
      throw new HttpError(404, { error: 'HTTP 404 Not Found' })
    })
    .use(answerError(logger))
  const server = createServer({ requestTimeout: 15_000, headersTimeout: 10_000, keepAliveTimeout: 72_000 }, app)

  /** Takes no new requests, and lets running ones finish. */
  async function close(): Promise<void> {
    setTimeout(() => server.closeAllConnections(), closeGraceMs).unref()
    await promisify(server.close.bind(server))()
    realm.database.close()
  }
  return { server, close }
}

/** Error of Express: a body that is too large or not JSON, a path with a broken escape. */
const badInputSchema = z.object({ status: z.number().int().min(400).max(499) })

const answerError =
  (logger: Logger): ErrorRequestHandler =>
  (error, req, res, _next) => {
    if (error instanceof HttpError) return void res.status(error.status).json(error.body)
    const badInput = badInputSchema.safeParse(error)
    if (badInput.success) return void res.status(badInput.data.status).json({ error: 'invalid_request' })
    logger.error({ err: error, method: req.method, path: req.path }, 'request failed')
    res.status(500).json({ error: 'unknown_error', error_description: 'See the log of the server.' })
  }
