import { Agent } from 'node:http'
import { env } from 'node:process'
import { RedisStore } from 'connect-redis'
import express from 'express'
import openid from 'express-openid-connect'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { createClient } from 'redis'

/** What a team would put together from the best known library: express-openid-connect, its sessions kept in Redis. */
const client = createClient({ url: env['REDIS_URL'] ?? '' })
await client.connect()
const app = express()
app.disable('x-powered-by')
app.use(
  openid.auth({
    issuerBaseURL: env['ISSUER'] ?? '',
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
)
app.use(
  openid.requiresAuth(),
  createProxyMiddleware({ target: env['TARGET'] ?? '', agent: new Agent({ keepAlive: true, maxSockets: 256 }) }),
)
app.listen(Number(env['PORT']), '127.0.0.1')
