import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../core/errors.ts'
import type { Logger } from '../core/logger.ts'
import type { Metrics } from '../core/metrics.ts'
import type { RequestSpan } from '../core/open-telemetry.ts'
import { tracing } from '../core/tracing.ts'

const safeId = /^[\w-]{8,64}$/

/** Returns the caller's request id where its form is harmless, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const requestId = request.headers['x-request-id']
  return typeof requestId === 'string' && safeId.test(requestId) ? requestId : randomUUID()
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while this process traces, but for operations routes. */
    span: RequestSpan | null
  }
}

/** Writes one log line and one measurement for each request: operation, caller, result. Never a URL or a body. */
export function logRequests(app: FastifyInstance, { logger, metrics }: { logger: Logger; metrics: Metrics }): void {
  app.decorateRequest('caller', null)
  app.decorateRequest('failure', null)
  traceRequests(app)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const operation = operationOf(request)
    metrics.observeRequest(operation, request.method, reply.statusCode, reply.elapsedTime / 1000)
    const line = {
      operation,
      ...callerFields(request),
      requestId: request.id,
      method: request.method,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      ...failureFields(request.failure, reply.statusCode),
    }
    within(request.span, () => {
      // Probes come every few seconds; the components that a process waits for have log lines of their own.
      if (operation.startsWith('ops.')) logger.debug(line, 'request')
      else if (reply.statusCode >= 500) logger.error(line, 'request failed')
      else logger.info(line, 'request')
    })
    const { code } = failureFields(request.failure, reply.statusCode)
    request.span?.end({ operation, status: reply.statusCode, requestId: request.id, code })
  })
}

const operationOf = ({ routeOptions: { config } }: FastifyRequest): string =>
  config.endpoint?.operation ?? config.operation ?? 'unknown'

const within = <T>(span: RequestSpan | null, work: () => T): T => (span ? span.run(work) : work())

/** Registers hooks with a callback: later steps run inside it, up to the reading of the body, which comes from the socket. */
function traceRequests(app: FastifyInstance): void {
  const active = tracing()
  app.decorateRequest('span', null)
  if (!active) return
  app.addHook('onRequest', (request, _reply, next) => {
    if (operationOf(request).startsWith('ops.')) return next()
    const { method, headers } = request
    request.span = active.startRequest({ method, traceparent: headers['traceparent'], trusted: true })
    request.span.run(next)
  })
  app.addHook('preValidation', (request, _reply, next) => within(request.span, next))
}

function callerFields({ caller }: FastifyRequest): Record<string, string> {
  if (!caller) return {}
  if (caller.kind === 'service') return { caller: caller.claims.sub }
  const { sub, wid: workspaceId } = caller.claims
  return caller.kind === 'key' ? { caller: sub, workspaceId } : { userId: sub, workspaceId }
}

function failureFields(failure: unknown, status: number): { code?: string; detail?: string; err?: unknown } {
  if (!(failure instanceof AppError)) return {}
  const cause = status >= 500 && failure.cause !== undefined ? { err: failure.cause } : {}
  return { code: failure.code, ...(failure.detail !== undefined && { detail: failure.detail }), ...cause }
}
