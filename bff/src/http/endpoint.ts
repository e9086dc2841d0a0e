import type { Endpoint, EndpointInput, EndpointResponse } from '@parley/contracts/endpoint'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { type Application, json, type Request, type Response } from 'express'
import type { z } from 'zod'

const defaultBodyLimitBytes = 16 * 1024

/**
 * Serves an endpoint of the contracts: parses the body, runs the handler, answers with the endpoint's status. The same
 * path with another method is 405.
 */
export function serve<E extends Endpoint>(
  app: Application,
  endpoint: E,
  handle: (input: EndpointInput<E> & { req: Request; res: Response }) => Promise<EndpointResponse<E>>,
): void {
  const parseBody = json({ limit: endpoint.bodyLimitBytes ?? defaultBodyLimitBytes, strict: false })
  app.all(endpoint.path, (req, res, next) => {
    res.locals.operation = endpoint.operation
    if (req.method === endpoint.method) return next()
    res.set('Allow', endpoint.method)
    return next(new AppError('method_not_allowed', `Use ${endpoint.method} here.`))
  })
  const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'patch' | 'put' | 'delete'
  app[method](endpoint.path, (req, res, next) => {
    if (endpoint.body && !req.is('application/json')) return next(errors.unsupportedMediaType('application/json'))
    return endpoint.body ? parseBody(req, res, next) : next()
  })
  app[method](endpoint.path, async (req, res) => {
    const body = endpoint.body ? parse(endpoint.body, req.body) : undefined
    const input = { params: undefined, query: undefined, body, req, res } as EndpointInput<E> & {
      req: Request
      res: Response
    }
    const answer = await handle(input)
    res.status(endpoint.status)
    if (answer === undefined) res.end()
    else res.json(answer)
  })
}

/** @throws `validation_failed` that names each wrong field. */
function parse<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const result = schema.safeParse(value ?? {})
  if (result.success) return result.data
  const fields: Record<string, string> = {}
  for (const issue of result.error.issues) fields[issue.path.join('.') || 'body'] ??= issue.message
  throw errors.validation(fields)
}
