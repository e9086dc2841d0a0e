import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { isList } from '@parley/contracts/core/told-records'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { AppError, errorBody, errors } from '../core/errors.ts'
import type { InternalTokenSigner } from '../core/internal-token.ts'
import type { Logger } from '../core/logger.ts'
import type { Metrics } from '../core/metrics.ts'
import { releaseConnections } from '../core/release-connections.ts'
import { boundRequestBodies } from '../core/request-bodies.ts'
import type { AuditLog } from '../data/audit-log.ts'
import { answerErrors, answerRoutingError, type TranslateError } from './answer-errors.ts'
import { auditRefusals } from './audited-call.ts'
import { guardWithInternalToken, type VerifyToken } from './authority.ts'
import type { IdempotencyStore } from './idempotency.ts'
import { parseJsonBodies } from './json-body.ts'
import { trackMethods } from './method-not-allowed.ts'
import { createOpenStreams } from './open-streams.ts'
import { type Probe, serveHealth, serveOperations } from './operations.ts'
import { logRequests, requestIdOf } from './request-log.ts'
import type { LimitWorkspace } from './workspace-limit.ts'

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

/**
 * The HTTP server of a service: request ids, one log line per request, one error envelope, operations routes, and a scope
 * for the modules in which every route needs an internal token.
 * @param options.modules adds the routes to the guarded scope.
 * @param options.idempotency keeps the answers of calls that carry an `Idempotency-Key`; without it the key is not looked at.
 * @param options.audit keeps an entry of each change, and of what was refused; without it there are none.
 * @param options.limitWorkspace is asked before the body of a request of a member or a key is read.
 * @param options.isOpen while it says false every feature answers 503: what they need has not been reached yet.
 */
export async function createServiceApp(options: {
  name: string
  logger: Logger
  metrics: Metrics
  verifyToken: VerifyToken
  probes: readonly Probe[]
  modules: (scope: FastifyInstance) => unknown
  translateError?: TranslateError
  idempotency?: IdempotencyStore
  audit?: AuditLog
  limitWorkspace?: LimitWorkspace
  isOpen?: () => boolean
  /** Keys of the signer, where the service calls others. */
  publicKeys?: InternalTokenSigner['publicKeys']
  /**
   * For a service that strangers ask: every answer has the headers that browsers want, and metrics are on the management side alone.
   * `trustProxyHops` of the proxies in front are believed in `X-Forwarded-For`; `secure` where people reach it by https.
   */
  publicFace?: { trustProxyHops: number; secure: boolean }
}): Promise<FastifyInstance> {
  const logger: FastifyBaseLogger = options.logger
  const { metrics, publicFace } = options
  const trustProxyHops = publicFace?.trustProxyHops ?? 0
  const app = fastify({
    loggerInstance: logger,
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
  answerErrors(app, options.translateError)
  parseJsonBodies(app)
  logRequests(app, { logger: options.logger, metrics })
  app.decorate('openStreams', createOpenStreams())
  const countLeftOut = metrics.counter<string>({
    name: 'records_left_out_total',
    help: 'Records that a list went without because their contract cannot tell them',
    label: 'operation',
    values: [],
  })
  app.decorate('countLeftOut', countLeftOut)
  // Exported from the start, so that the first one is already a rise.
  app.addHook('onRoute', ({ config }) => {
    if (isList(config?.endpoint?.response)) countLeftOut(config?.endpoint?.operation ?? '', 0)
  })
  app.decorate('idempotency', options.idempotency ?? null)
  app.decorate('audit', options.audit ?? null)
  if (options.audit) auditRefusals(app, options.audit)
  app.addHook('preClose', async () => app.openStreams.endAll())
  const refuseOtherMethods = trackMethods(app)
  if (publicFace) {
    facePublic(app, publicFace)
    serveHealth(app, options.probes)
  } else serveOperations(app, { name: options.name, metrics, probes: options.probes, publicKeys: options.publicKeys })
  await app.register(async (scope) => {
    scope.addHook('onRequest', async () => {
      if (options.isOpen && !options.isOpen()) throw errors.serviceUnavailable('still waiting for a part')
    })
    guardWithInternalToken(scope, options.verifyToken)
    scope.addHook('onRequest', async ({ caller }) => {
      if (caller?.kind === 'user' || caller?.kind === 'key') await options.limitWorkspace?.(caller.claims.wid)
    })
    await options.modules(scope)
  })
  refuseOtherMethods()
  return app
}

/** Sets the headers before a route is looked for, so that refusals have them too. */
function facePublic(app: FastifyInstance, { secure }: { secure: boolean }): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff')
    if (secure) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
  })
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
