import { randomUUID } from 'node:crypto'
import type { Logger } from '@parley/service-kit/core/logger'
import type { Metrics } from '@parley/service-kit/core/metrics'
import type { RequestSpan } from '@parley/service-kit/core/open-telemetry'
import { tracing } from '@parley/service-kit/core/tracing'
import type { NextFunction, Request, Response } from 'express'
import type { Session } from '../session/session-record.ts'
import { currentRequest } from './current-request.ts'

declare global {
  namespace Express {
    interface Locals {
      /** Id of this request in the logs of every process. */
      requestId: string
      /** Stable name of the operation: `auth.signUp`. Never a path. */
      operation: string
      /** Reason for a refusal, for the log alone. */
      problem?: unknown
      /** Set where a sign-in was refused: keyed hashes of the e-mail address and the network. */
      refusedSignIn?: { account: string; network: string }
      workspaceId?: string
      /** Set for an endpoint that needs one. */
      session?: Session
    }
  }
}

/** Gives each request an id and, when it ends, one log line and one observation. No URL, header or body is logged. */
export function createRequestLog(logger: Logger, metrics: Metrics) {
  // The line of a request that went well holds words of our own only. Looking for secrets in it was most of its cost.
  const plain = logger.child({}, { redact: [] })
  return function requestLog(req: Request, res: Response, next: NextFunction) {
    const startedAt = performance.now()
    res.locals.requestId = randomUUID()
    res.locals.operation = 'static'
    res.set('X-Request-Id', res.locals.requestId)
    const span = spanOf(req)
    res.once('close', () => {
      const { requestId, operation, problem, workspaceId } = res.locals
      const status = res.writableFinished ? res.statusCode : 499
      const milliseconds = performance.now() - startedAt
      metrics.observeRequest(operation, req.method, status, milliseconds / 1000)
      const line = { requestId, operation, status, durationMs: Math.round(milliseconds * 10) / 10, workspaceId }
      within(span, () => {
        // Probes come every few seconds; what a process that is not ready waits for has lines of its own.
        if (operation.startsWith('ops.')) plain.debug(line, 'request')
        else if (status >= 500)
          logger.error({ ...line, ...(problem instanceof Error && reasonOf(problem)), err: problem }, 'request failed')
        else if (problem instanceof Error)
          logger.info({ ...line, ...reasonOf(problem), ...res.locals.refusedSignIn }, 'request refused')
        else if (operation !== 'static') plain.info(line, 'request')
      })
      const code = problem instanceof Error && 'code' in problem ? String(problem.code) : undefined
      span?.end({ operation, status, requestId, code })
    })
    const request = { requestId: res.locals.requestId, clientAddress: req.ip ?? '' }
    currentRequest.run(request, () => within(span, next))
  }
}

const within = (span: RequestSpan | undefined, work: () => void): void => (span ? span.run(work) : work())

/** Health checks and the page's own files are not traced. */
function spanOf({ path, method, headers }: Request): RequestSpan | undefined {
  const active = tracing()
  if (!active || !/^\/(?:api|auth|v1)\//.test(path)) return undefined
  return active.startRequest({ method, traceparent: headers['traceparent'], trusted: false })
}

/** Codes and our own words only: the message of a library's error may hold what a caller sent. */
const reasonOf = (problem: Error) => ({
  code: 'code' in problem ? problem.code : undefined,
  detail: detailOf(problem) ?? detailOf(problem.cause),
  cause: problem.cause instanceof Error && 'code' in problem.cause ? problem.cause.code : undefined,
})

const detailOf = (problem: unknown) => (problem instanceof Error && 'detail' in problem ? problem.detail : undefined)
