import type { Endpoint, EndpointInput, EndpointResponse } from '@parley/contracts/endpoint'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { type Application, json, type Request, type Response } from 'express'
import type { z } from 'zod'

const defaultBodyLimitBytes = 16 * 1024

/** Serves an endpoint of the contracts: parses its parts, runs the handler, answers with the endpoint's status. */
export function serve<E extends Endpoint>(
  app: Application,
  endpoint: E,
  handle: (input: EndpointInput<E> & { req: Request; res: Response }) => Promise<EndpointResponse<E>>,
): void {
  const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'patch' | 'put' | 'delete'
  const parseBody = json({ limit: endpoint.bodyLimitBytes ?? defaultBodyLimitBytes, strict: false })
  app[method](endpoint.path, (req, res, next) => {
    res.locals.operation = endpoint.operation
    if (endpoint.body && !req.is('application/json')) return next(errors.unsupportedMediaType('application/json'))
    return endpoint.body ? parseBody(req, res, next) : next()
  })
  app[method](endpoint.path, async (req, res) => {
    const input = {
      params: endpoint.params && parse(endpoint.params, req.params),
      query: endpoint.query && parse(endpoint.query, req.query),
      body: endpoint.body && parse(endpoint.body, req.body),
      req,
      res,
    } as EndpointInput<E> & { req: Request; res: Response }
    const answer = await handle(input)
    res.status(endpoint.status)
    if (answer === undefined) res.end()
    else res.json(answer)
  })
}

/** After all endpoints are served: their paths with any other method are 405. */
export function refuseOtherMethods(app: Application, endpoints: readonly Endpoint[]): void {
  for (const [path, known] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    app.all(path, (_req, res, next) => {
      res.locals.operation = known[0]?.operation ?? ''
      res.set('Allow', known.map(({ method }) => method).join(', '))
      next(new AppError('method_not_allowed', 'This address does not take that method.'))
    })
  }
}

/** @throws `validation_failed` that names each wrong field. */
function parse<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const result = schema.safeParse(value ?? {})
  if (result.success) return result.data
  const fields: Record<string, string> = {}
  for (const issue of result.error.issues) fields[issue.path.join('.') || 'body'] ??= issue.message
  throw errors.validation(fields)
}
