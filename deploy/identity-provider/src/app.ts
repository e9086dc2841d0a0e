import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { Logger } from '@parley/service-kit/core/logger'
import type { Config } from './config.ts'
import { type Call, findRoute, HttpError, type Reply, type Route, route, send } from './http.ts'
import { openRealm, type Realm } from './realm.ts'
import { googleOfflineRealm, parleyRealm } from './realm-config.ts'

/** The whole provider, not yet listening. */
export async function createIdentityProvider(config: Config, logger: Logger) {
  // Only these two realms use it, and neither outlives this process.
  const brokering = { clientSecret: randomBytes(32).toString('base64url') }
  const configs = [parleyRealm(config, brokering), googleOfflineRealm(config, brokering)]
  const realmNames = configs.map(({ name }) => name)
  const realms: Realm[] = []
  for (const realm of configs) {
    const settings = { origin: config.ISSUER_ORIGIN, dataDir: config.DATA_DIR, smtpUrl: config.SMTP_URL }
    realms.push(await openRealm({ ...settings, realm, realmNames, logger }))
  }
  const unknown = (call: Call) => notFound(call, realmNames)
  const routes: Route[] = [
    route('GET', '/healthz', () => ({ status: 200, body: { status: 'ok' } })),
    route('GET', '/readyz', () => ({ status: 200, body: { status: 'ok' } })),
    ...realms.flatMap((realm) => realm.routes),
    route('GET', '/realms/:realm{/*}?', unknown),
    route('POST', '/realms/:realm{/*}?', unknown),
  ]
  const server = createServer(
    { requestTimeout: 15_000, headersTimeout: 10_000, keepAliveTimeout: 72_000 },
    (req, res) => {
      const url = URL.parse(req.url ?? '/', config.ISSUER_ORIGIN)
      if (!url) return send({ req, res }, { status: 400, body: { error: 'HTTP 400 Bad Request' } })
      answer({ req, res, url, params: {} }, routes, logger)
    },
  )
  async function close(): Promise<void> {
    try {
      await stop(server)
    } finally {
      for (const realm of realms) realm.close()
    }
  }
  return { server, close }
}

function notFound({ params }: Call, realmNames: readonly string[]): Reply {
  throw realmNames.includes(params['realm'] ?? '')
    ? new HttpError(404, { error: 'HTTP 404 Not Found' })
    : new HttpError(404, { error: 'Realm does not exist' })
}

async function answer(call: Call, routes: readonly Route[], logger: Logger): Promise<void> {
  try {
    const found = findRoute(routes, call.req.method ?? '', call.url)
    const reply = await found.route.handle({ ...call, params: found.params })
    if (reply) send(call, reply)
  } catch (error) {
    if (error instanceof HttpError) return send(call, error.reply)
    logger.error({ err: error, method: call.req.method, path: call.url.pathname }, 'request failed')
    send(call, { status: 500, body: { error: 'unknown_error', error_description: 'See the log of the server.' } })
  }
}

/** Takes no new requests, lets running ones finish, then drops idle connections. */
function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), 5000).unref()
  })
}
