import type { Endpoint, EndpointInput, EndpointResponse } from '@parley/contracts/endpoint'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { errors } from '../core/errors.ts'
import { type ContextFor, serviceContext, userContext } from './context.ts'
import { parseInput } from './parse-input.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route was mounted from. */
    endpoint?: Endpoint
    /** Name in the log and the metrics of a route that has no endpoint. */
    operation?: string
  }
}

/** Without a response schema a handler need not return anything. */
// biome-ignore lint/suspicious/noConfusingVoidType: `undefined` would refuse a handler whose service returns nothing.
type Result<E extends Endpoint> = E['response'] extends z.ZodType ? EndpointResponse<E> : void

type Handler<E extends Endpoint> = (
  input: EndpointInput<E> & { readonly ctx: ContextFor<E['access']> },
) => Promise<Result<E>> | Result<E>

/**
 * Serves an endpoint of the contracts. The input is parsed by its schemas, the answer is parsed too, so that nothing
 * leaves which the contract does not name.
 */
export function mount<const E extends Endpoint>(scope: FastifyInstance, endpoint: E, handler: Handler<E>): void {
  scope.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    ...(endpoint.bodyLimitBytes !== undefined && { bodyLimit: endpoint.bodyLimitBytes }),
    handler: async (request, reply) => {
      const answer = await handler(readInput(endpoint, request))
      reply.code(endpoint.status).header('cache-control', 'no-store')
      return endpoint.response ? endpoint.response.parse(answer) : reply.send()
    },
  })
}

function readInput<E extends Endpoint>(
  endpoint: E,
  request: FastifyRequest,
): EndpointInput<E> & { readonly ctx: ContextFor<E['access']> } {
  const part = (name: 'params' | 'query' | 'body') => {
    const schema = endpoint[name]
    return schema ? parseInput(schema, request[name], name) : undefined
  }
  const input = { params: part('params'), query: part('query'), body: part('body'), ctx: readContext(request) }
  // The three schemas and the guard's check of `access` are what the conditional types spell out.
  return input as EndpointInput<E> & { readonly ctx: ContextFor<E['access']> }
}

function readContext({ caller, id, routeOptions }: FastifyRequest) {
  if (caller?.kind === 'user') return userContext(caller.claims, id)
  if (caller?.kind === 'service') return serviceContext(caller.claims, id)
  if (routeOptions.config.endpoint?.access === 'public') return { requestId: id }
  throw errors.unauthenticated({ detail: 'the route stands outside the guarded scope' })
}
