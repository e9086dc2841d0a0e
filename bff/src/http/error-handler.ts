import { AppError, errorBody, errors } from '@parley/service-kit/core/errors'
import type { NextFunction, Request, Response } from 'express'
import { z } from 'zod'

const bodyParserErrorSchema = z.object({ type: z.string(), limit: z.number().optional() })

/** Translates errors of the router and of body parsing into our own. */
function translate(error: unknown): unknown {
  if (error instanceof URIError) return errors.badRequest('This address is not well-formed.')
  const parsed = bodyParserErrorSchema.safeParse(error)
  if (!parsed.success) return error
  const { type, limit } = parsed.data
  if (type === 'entity.too.large') return errors.bodyTooLarge(limit ?? 0)
  if (type === 'entity.parse.failed') return errors.malformedJson()
  if (type === 'encoding.unsupported' || type === 'charset.unsupported')
    return errors.unsupportedMediaType('UTF-8 JSON')
  return errors.badRequest('The request body could not be read.')
}

/** The last middleware: every error leaves as the one envelope, and is logged with the request. */
export function errorHandler(raw: unknown, _req: Request, res: Response, _next: NextFunction) {
  const error = translate(raw)
  res.locals.problem = error
  if (res.headersSent) {
    res.destroy()
    return
  }
  const known = error instanceof AppError ? error : errors.internal(error)
  if (known.retryAfterSeconds) res.set('Retry-After', String(Math.ceil(known.retryAfterSeconds)))
  res.status(known.status).json(errorBody(known, res.locals.requestId))
}
