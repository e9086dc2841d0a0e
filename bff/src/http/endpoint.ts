import type { Endpoint, EndpointInput, EndpointResponse } from '@parley/contracts/core/endpoint'
import { errors } from '@parley/service-kit/core/errors'
import { parseInput } from '@parley/service-kit/core/parse-input'
import { type Application, json, type Request, type Response } from 'express'
import type { SessionGate } from '../session/require-session.ts'
import type { Session } from '../session/session-record.ts'

const defaultBodyLimitBytes = 16 * 1024

type Input<E extends Endpoint> = EndpointInput<E> & { readonly req: Request; readonly res: Response } & (E extends {
    access: 'session' | 'session+bearer'
  }
    ? { readonly session: Session }
    : unknown)

/**
 * @returns a function that serves an endpoint of the contracts: lets in whom its `access` lets in, parses its parts, runs the
 * handler and answers with the endpoint's status. A call that `countsAsUse` keeps its session from idling out.
 */
export function createServe(app: Application, gate: Pick<SessionGate, 'requireAlive'>) {
  return function serve<E extends Endpoint>(
    endpoint: E,
    handle: (input: Input<E>) => Promise<EndpointResponse<E>>,
    { countsAsUse = true } = {},
  ): void {
    const { access } = endpoint
    if (access === 'service' || access === 'key') throw new Error(`${endpoint.operation} is not for browsers`)
    const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'patch' | 'put' | 'delete'
    app[method](endpoint.path, async (req, res, next) => {
      res.locals.operation = endpoint.operation
      if (access !== 'public') {
        res.locals.session = await gate.requireAlive(req, res, { bearer: access === 'session+bearer', countsAsUse })
      }
      if (endpoint.body && !req.is('application/json')) throw errors.unsupportedMediaType('application/json')
      next()
    })
    if (endpoint.body) {
      app[method](endpoint.path, json({ limit: endpoint.bodyLimitBytes ?? defaultBodyLimitBytes, strict: false }))
    }
    app[method](endpoint.path, async (req, res) => {
      const part = (name: 'params' | 'query' | 'body') => {
        const schema = endpoint[name]
        return schema && parseInput(schema, req[name] ?? {}, name)
      }
      const parts = { params: part('params'), query: part('query'), body: part('body') }
      const answer = await handle({ ...parts, req, res, session: res.locals.session } as Input<E>)
      res.status(endpoint.status)
      if (answer === undefined) res.end()
      else res.json(answer)
    })
  }
}

/** Refuses other methods of known paths with 405; called after all endpoints are served. */
export function refuseOtherMethods(app: Application, endpoints: readonly Endpoint[]): void {
  for (const [path, known] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    app.all(path, (_req, res, next) => {
      res.locals.operation = known[0]?.operation ?? ''
      res.set('Allow', known.map(({ method }) => method).join(', '))
      next(errors.methodNotAllowed())
    })
  }
}
