import type { Endpoint } from '@parley/contracts/core/endpoint'
import { type ErrorCode, errorBodySchema, errorStatus } from '@parley/contracts/core/errors'
import { z } from 'zod'

export type JsonObject = Record<string, unknown>
/** Describes a schema as OpenAPI does. @param name of the whole that it is part of: shared schemas are kept under it. */
export type Describe = (schema: z.ZodType, io: 'input' | 'output', name: string) => JsonObject

const errorRef = { $ref: '#/components/schemas/Error' }

/** The OpenAPI 3.0 document of a service, made from the same endpoint objects that it mounts. */
export function describeEndpoints(name: string, endpoints: readonly Endpoint[]): JsonObject {
  const schemas: JsonObject = {}
  const describe = describeInto(schemas, 'openapi-3.0')
  schemas['Error'] = describe(errorBodySchema, 'output', 'Error')
  const paths = pathsOf(
    endpoints,
    ({ path }) => path,
    (endpoint) => describeEndpoint(endpoint, describe),
  )
  return {
    openapi: '3.0.3',
    info: { title: `Parley ${name}`, version: '1' },
    paths,
    components: {
      schemas,
      securitySchemes: { internalToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  }
}

/** A header of a request, as a parameter of the document. */
export interface HeaderParameter {
  readonly name: string
  readonly description: string
  readonly required?: true
}
export const headerParameter = ({ name, description, required }: HeaderParameter) => ({
  name,
  in: 'header',
  required: required ?? false,
  description,
  schema: { type: 'string', maxLength: 255 },
})

export function pathsOf(
  endpoints: readonly Endpoint[],
  pathOf: (endpoint: Endpoint) => string,
  describe: (endpoint: Endpoint) => JsonObject,
): Record<string, JsonObject> {
  const paths: Record<string, JsonObject> = {}
  for (const endpoint of endpoints) {
    const path = pathOf(endpoint).replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describe(endpoint) }
  }
  return paths
}

/**
 * Says of objects of the public API what holds of them: fields may be added to an answer at any time, so that a client's check of it must
 * not refuse them; a field of a request that is not known is refused.
 */
function openOrClose(schema: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
  if (schema.type !== 'object' || !schema.properties) return
  if (io === 'input') schema.additionalProperties ??= false
  else if (schema.additionalProperties === false) delete schema.additionalProperties
}

/** Redirects references: within a schema they start at its root, in a document at the document's, so their targets are moved there. */
export function describeInto(schemas: JsonObject, target: 'openapi-3.0' | 'draft-2020-12'): Describe {
  return (schema, io, name) => {
    const {
      $schema: _,
      $defs = {},
      definitions = $defs,
      ...jsonSchema
    } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      target,
      ...(target === 'draft-2020-12' && { override: ({ jsonSchema }) => openOrClose(jsonSchema, io) }),
    }) as JsonObject & {
      definitions?: JsonObject
      $defs?: JsonObject
    }
    const nameOf = (definition: string) => `${name}.${definition}`.replaceAll(/[^\w.-]/g, '_')
    const placed = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null) return value
      if (Array.isArray(value)) return value.map(placed)
      return Object.fromEntries(
        Object.entries(value).flatMap(([key, inner]) => {
          // Addresses are parsed as browsers do (WHATWG), which take more than the RFC 3986 that this format stands for.
          if (key === 'format' && inner === 'uri') return []
          if (key !== '$ref' || typeof inner !== 'string') return [[key, placed(inner)]]
          const [, definition] = /^#\/(?:definitions|\$defs)\/(.+)$/.exec(inner) ?? []
          return [[key, `#/components/schemas/${definition === undefined ? name : nameOf(definition)}`]]
        }),
      )
    }
    for (const [definition, value] of Object.entries(definitions)) schemas[nameOf(definition)] = placed(value)
    const root = placed(jsonSchema) as JsonObject
    // The schema refers to itself as a whole.
    if (JSON.stringify(jsonSchema).includes('"$ref":"#"')) schemas[name] = root
    return root
  }
}

export function describeEndpoint(
  endpoint: Endpoint,
  describe: Describe,
  headers: readonly HeaderParameter[] = [],
): JsonObject {
  return {
    operationId: endpoint.operation,
    summary: endpoint.summary,
    ...(endpoint.access !== 'public' && { security: [{ internalToken: [] }] }),
    parameters: [
      ...parametersOf(endpoint, 'path', describe),
      ...parametersOf(endpoint, 'query', describe),
      ...headers.map(headerParameter),
    ],
    ...requestBodyOf(endpoint, describe),
    responses: {
      [endpoint.status]: {
        description: 'Success',
        ...responseContentOf(endpoint, describe),
      },
      ...errorResponses(endpoint),
    },
  }
}

export const jsonContent = (schema: JsonObject) => ({ 'application/json': { schema } })
const binary = { type: 'string', format: 'binary' }

function requestBodyOf({ operation, body, bodyType = 'json' }: Endpoint, describe: Describe): JsonObject {
  if (bodyType !== 'json') return { requestBody: { required: true, content: { '*/*': { schema: binary } } } }
  if (!body) return {}
  return { requestBody: { required: true, content: jsonContent(describe(body, 'input', `${operation}.body`)) } }
}

function responseContentOf({ operation, response, responseType = 'json' }: Endpoint, describe: Describe): JsonObject {
  if (responseType === 'stream') return { content: { '*/*': { schema: binary } } }
  if (responseType === 'events') return { content: { 'text/event-stream': { schema: { type: 'string' } } } }
  return response ? { content: jsonContent(describe(response, 'output', `${operation}.response`)) } : {}
}

function parametersOf(endpoint: Endpoint, location: 'path' | 'query', describe: Describe): JsonObject[] {
  const schema = location === 'path' ? endpoint.params : endpoint.query
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).map(([name, field]) => {
    const described = describe(field, 'input', `${endpoint.operation}.${name}`)
    const { contentMediaType, ...plain } = described
    return {
      name,
      in: location,
      required: location === 'path' || !field.safeParse(undefined).success,
      ...(contentMediaType === 'application/json' ? { content: jsonContent(plain) } : { schema: plain }),
      // A comma separates its items.
      ...(plain['type'] === 'array' && { style: 'form', explode: false }),
    }
  })
}

/** Error codes of an endpoint beside its own: those of the checks before its handler, and of the processes in between. */
function commonErrors({
  access,
  allowsUnverified,
  method,
  params,
  query,
  body,
  bodyType = 'json',
}: Endpoint): ErrorCode[] {
  const takesJson = method !== 'GET' && bodyType === 'json'
  const isOfPerson = access === 'session' || access === 'session+bearer' || access === 'key'
  return [
    'unauthenticated',
    'forbidden',
    ...(params || query || body ? (['bad_request', 'validation_failed'] as const) : []),
    ...(query ? (['headers_too_large'] as const) : []),
    ...(body && takesJson ? (['malformed_json'] as const) : []),
    ...(method === 'GET' ? [] : (['body_too_large', 'unsupported_media_type'] as const)),
    ...(isOfPerson && takesJson ? (['request_in_progress', 'idempotency_key_reused'] as const) : []),
    ...(isOfPerson && !allowsUnverified ? (['email_not_verified'] as const) : []),
    ...(isOfPerson ? (['rate_limited', 'upstream_failed', 'upstream_timeout'] as const) : []),
    ...(['internal_error', 'service_unavailable', 'writes_unavailable'] as const),
  ]
}

function errorResponses(endpoint: Endpoint): JsonObject {
  const codes = [...new Set([...commonErrors(endpoint), ...endpoint.errors])]
  const byStatus = Map.groupBy(codes, (code) => errorStatus[code])
  return Object.fromEntries(
    [...byStatus].map(([status, errorCodes]) => [
      status,
      { description: errorCodes.join(', '), content: jsonContent(errorRef) },
    ]),
  )
}
