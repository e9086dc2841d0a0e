import type { Endpoint } from '@parley/contracts/core/endpoint'
import { callAddress } from '@parley/service-kit/core/call-address'
import { errors } from '@parley/service-kit/core/errors'
import { parseInput } from '@parley/service-kit/core/parse-input'
import type { Request } from 'express'
import { z } from 'zod'

type Query = Readonly<Record<string, unknown>>

/**
 * Builds the address that a browser's call has at its service, from the parameters which the endpoint declares; the rest of
 * the browser's own address goes nowhere. Values are checked by the endpoint's schemas and sent as they came, because the
 * service parses them itself.
 * @param options.strict refuses parameters that are not declared: a program that has mistyped one would never hear of it.
 * @returns a function that throws `validation_failed` where the endpoint's schemas refuse a value.
 */
export function createCallAddress(endpoint: Endpoint, { strict = false } = {}): (req: Request) => string {
  const paramNames = namesIn(endpoint.path)
  const queryNames = declaredNames(endpoint.query)
  if (paramNames.length > 0 && !endpoint.params)
    throw new Error(`${endpoint.operation} declares no schema for the parameters of ${endpoint.path}`)

  return function addressOf(req) {
    if (strict) refuseUnknown(sentBy(req.originalUrl), queryNames)
    if (paramNames.length === 0 && !endpoint.query) return endpoint.path
    const params = Object.fromEntries(paramNames.map((name) => [name, req.params[name]]))
    // These two would climb in the path, however they are encoded.
    if (Object.values(params).some((value) => value === '.' || value === '..')) throw errors.notFound()
    const query = readQuery(sentBy(req.originalUrl), queryNames)
    if (endpoint.params) parseInput(endpoint.params, params, 'params')
    if (endpoint.query) parseInput(endpoint.query, query, 'query')
    return callAddress(endpoint.path, params, query)
  }
}

/** Names of a path's parameters: `/api/contacts/:id` has `id`. */
const namesIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

const objectSchema = z.object({ properties: z.record(z.string(), z.unknown()).default({}) })

function declaredNames(schema: z.ZodType | undefined): string[] {
  if (!schema) return []
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.keys(objectSchema.parse(described).properties)
}

function sentBy(url: string): URLSearchParams {
  const start = url.indexOf('?')
  return new URLSearchParams(start < 0 ? '' : url.slice(start))
}

/** @throws `validation_failed` under the name of each parameter. */
function refuseUnknown(sent: URLSearchParams, names: readonly string[]): void {
  const unknown = [...new Set(sent.keys())].filter((name) => !names.includes(name))
  if (unknown.length > 0)
    throw errors.validation(
      Object.fromEntries(unknown.slice(0, 20).map((name) => [name, 'There is no such parameter.'])),
    )
}

const readQuery = (sent: URLSearchParams, names: readonly string[]): Query =>
  Object.fromEntries(
    names.flatMap((name) => {
      const values = sent.getAll(name)
      return values.length > 0 ? [[name, values.length > 1 ? values : values[0]]] : []
    }),
  )
