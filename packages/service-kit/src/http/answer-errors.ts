import { errorCodeHeader } from '@parley/contracts/core/headers'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, errorBody, errors } from '../core/errors.ts'

/** Turns an error of a library into one that callers may see; `undefined` leaves it an internal error. */
export type TranslateError = (error: unknown) => AppError | undefined

/** Makes every error of the app, routing errors included, an answer in the one envelope of the contracts. */
export function answerErrors(app: FastifyInstance, translate: TranslateError = () => undefined): void {
  app.setErrorHandler((error, request, reply) => {
    const known = error instanceof AppError ? error : (translate(error) ?? fromFramework(error, request))
    request.failure = known
    return sendError(known, request, reply)
  })
  app.setNotFoundHandler((request, reply) => {
    request.failure = errors.notFound()
    return sendError(errors.notFound(), request, reply)
  })
}

/** Answers what the router refuses before any hook runs: a URL that cannot be decoded, an over-long parameter. */
export function answerRoutingError(_error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  sendError(errors.badRequest('The address is not valid.'), request, reply)
}

function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds))
  // Fastify closes the connection of a body that is too large at once, and the answer is lost on a client that is still sending.
  return (
    reply
      .removeHeader('connection')
      .code(error.status)
      .header('x-request-id', request.id)
      .header('cache-control', 'no-store')
      .header(errorCodeHeader, error.code)
      // A file may fail once its own type is set.
      .type('application/json; charset=utf-8')
      .send(errorBody(error, request.id))
  )
}

function fromFramework(error: unknown, request: FastifyRequest): AppError {
  const { code, statusCode } = describe(error)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return errors.bodyTooLarge(request.routeOptions.bodyLimit ?? 0)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return errors.unsupportedMediaType('application/json')
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY' || error instanceof SyntaxError) return errors.malformedJson()
  if (code === 'FST_ERR_HANDLER_TIMEOUT') return errors.serviceUnavailable(error)
  if (statusCode >= 400 && statusCode < 500) return errors.badRequest('The request is not valid.', { cause: error })
  return errors.internal(error)
}

function describe(error: unknown): { code: string; statusCode: number } {
  if (!(error instanceof Error)) return { code: '', statusCode: 500 }
  return {
    code: 'code' in error && typeof error.code === 'string' ? error.code : '',
    statusCode: 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500,
  }
}
