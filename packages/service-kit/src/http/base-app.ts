import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type HTTPMethods, LogController } from 'fastify'
import { AppError, errorBody, errors } from '../core/errors.ts'
import type { Logger } from '../core/logger.ts'
import type { Metrics } from '../core/metrics.ts'
import { releaseConnections } from '../core/release-connections.ts'
import { boundRequestBodies } from '../core/request-bodies.ts'
import { answerErrors, answerRoutingError, type TranslateError } from './answer-errors.ts'
import { createOpenStreams } from './open-streams.ts'
import { type Probe, serveHealth } from './operations.ts'
import { logRequests, requestIdOf } from './request-log.ts'

/** Longer than the keep-alive of the BFF and of common load balancers (60 s), so that the client closes first. */
const keepAliveTimeoutMs = 75_000
/** Limit for uploads. The body of any other request is bounded by the handler's own limit, the headers by theirs. */
const requestTimeoutMs = 10 * 60_000
const headersTimeoutMs = 15_000
/** Above the sum of a handler's own outbound time limits. */
const handlerTimeoutMs = 20_000
/** With the release of kept connections (8 s) and the sending of traces (3 s) it stays below the stop limit of `runProcess`. */
const stopGraceMs = 10_000
const defaultBodyLimitBytes = 64 * 1024

interface BaseOptions {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly translateError?: TranslateError | undefined
  /** Number of proxies in front that are believed in `X-Forwarded-For`. */
  readonly trustProxyHops?: number
}

/**
 * The HTTP server beneath every service: request ids, one log line per request, and one error envelope.
 * @returns `refuseOtherMethods` is called once the routes are there.
 */
export function createBaseApp({ logger, metrics, translateError, trustProxyHops = 0 }: BaseOptions) {
  const loggerInstance: FastifyBaseLogger = logger
  const app: FastifyInstance = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    trustProxy: trustProxyHops > 0 && ((_address: string, hop: number) => hop < trustProxyHops),
    genReqId: requestIdOf,
    bodyLimit: defaultBodyLimitBytes,
    keepAliveTimeout: keepAliveTimeoutMs,
    requestTimeout: requestTimeoutMs,
    handlerTimeout: handlerTimeoutMs,
    http: { headersTimeout: headersTimeoutMs },
    routerOptions: { maxParamLength: 300 },
    return503OnClosing: false,
    frameworkErrors: answerRoutingError,
    clientErrorHandler: answerBrokenRequest,
  })
  boundRequestBodies(app.server)
  answerErrors(app, translateError)
  parseJsonBodies(app)
  logRequests(app, { logger, metrics })
  app.decorate('openStreams', createOpenStreams())
  app.addHook('preClose', async () => app.openStreams.endAll())
  return { app, refuseOtherMethods: trackMethods(app) }
}

/**
 * The HTTP server of a process that strangers ask: it answers with the headers that browsers want, and has its metrics on the
 * management side alone.
 * @param options.secure true where people reach it by https.
 */
export function createPublicApp({
  probes,
  secure,
  ...options
}: BaseOptions & { readonly probes: readonly Probe[]; readonly secure: boolean }): FastifyInstance {
  const { app, refuseOtherMethods } = createBaseApp(options)
  // Set before a route is looked for, so that refusals have them too.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff')
    if (secure) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
  })
  serveHealth(app, probes)
  refuseOtherMethods()
  return app
}

/**
 * Ends what a service's server still does, in order: streams end (their readers come back elsewhere), kept connections are
 * let go, requests under way are finished or, after a time, cut off, and the port is closed.
 */
export async function stopServiceApp(app: FastifyInstance): Promise<void> {
  app.openStreams.endAll()
  await releaseConnections(app.server)
  const cutOff = setTimeout(() => app.server.closeAllConnections(), stopGraceMs)
  await app.close()
  clearTimeout(cutOff)
}

/** Answers bytes that are no HTTP request: there is no request object yet, so the envelope is written by hand. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const known =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new AppError('headers_too_large', 'The headers of the request are too large.')
      : new AppError('bad_request', 'The request is not valid HTTP.')
  const body = JSON.stringify(errorBody(known, randomUUID()))
  socket.end(
    `HTTP/1.1 ${known.status} ${STATUS_CODES[known.status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

/**
 * Accepts JSON bodies only. An empty body under a JSON content type is no body: `POST /api/auth/sync` is called so
 *.
 */
function parseJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body === '') done(null, undefined)
    else parseJson(request, body, done)
  })
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/**
 * Remembers each path's methods, so that a known path with another method answers 405 with `Allow` instead of 404
 * (RFC 9110 section 15.5.6). Call it before the routes are added and its result after them.
 */
function trackMethods(app: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const seen = known.get(url) ?? new Set()
    for (const name of [method].flat()) seen.add(name)
    known.set(url, seen)
  })
  return () => {
    for (const [url, seen] of [...known]) {
      const allowed = [...seen].join(', ')
      const refused: HTTPMethods[] = methods.filter((name) => !seen.has(name))
      app.route({
        url,
        method: refused,
        config: { operation: 'method_not_allowed' },
        onRequest: async (_request, reply) => {
          reply.header('allow', allowed)
          throw errors.methodNotAllowed()
        },
        handler: () => undefined,
      })
    }
  }
}
