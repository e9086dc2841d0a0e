import { Agent } from 'node:http'
import { env } from 'node:process'
import express from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'

/** The least that a proxy in Express can be: no session, no headers of its own, the same connection pool as the BFF's. */
const app = express()
app.disable('x-powered-by')
app.use(createProxyMiddleware({ target: env['TARGET'] ?? '', agent: new Agent({ keepAlive: true, maxSockets: 256 }) }))
app.listen(Number(env['PORT']), '127.0.0.1')
