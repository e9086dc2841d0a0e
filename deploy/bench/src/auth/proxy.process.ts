import { Agent } from 'node:http'
import { env } from 'node:process'
import { RedisStore } from 'connect-redis'
import express from 'express'
import openid from 'express-openid-connect'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { createClient } from 'redis'

/**
 * The least that a proxy in Express can be: no session, no headers of its own, the same connection pool as the BFF's. With an `ISSUER` what
 * a team would put together from the best known library: express-openid-connect, its sessions kept in Redis.
 */
const app = express()
app.disable('x-powered-by')
if (env['ISSUER']) {
  const client = createClient({ url: env['REDIS_URL'] ?? '' })
  await client.connect()
  app.use(
    openid.auth({
      issuerBaseURL: env['ISSUER'],
      baseURL: env['PUBLIC_ORIGIN'] ?? '',
      clientID: 'bff-web',
      clientSecret: env['CLIENT_SECRET'] ?? '',
      clientAuthMethod: 'client_secret_post',
      secret: env['COOKIE_SECRET'] ?? '',
      authRequired: false,
      routes: { callback: '/auth/callback' },
      authorizationParams: { response_type: 'code', scope: 'openid profile email' },
      session: { store: new RedisStore({ client, prefix: 'express-openid-connect:' }) as never },
    }),
    openid.requiresAuth(),
  )
}
app.use(createProxyMiddleware({ target: env['TARGET'] ?? '', agent: new Agent({ keepAlive: true, maxSockets: 256 }) }))
app.listen(Number(env['PORT']), '127.0.0.1')
