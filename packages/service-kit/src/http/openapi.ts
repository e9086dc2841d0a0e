import type { Endpoint } from '@parley/contracts/endpoint'
import { errorBodySchema, errorStatus } from '@parley/contracts/errors'
import { z } from 'zod'

type JsonObject = Record<string, unknown>

const errorRef = { $ref: '#/components/schemas/Error' }
const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonObject =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'openapi-3.0' })

/** The OpenAPI 3.0 document of a service, made from the same endpoint objects that it mounts. */
export function describeEndpoints(name: string, endpoints: readonly Endpoint[]): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeEndpoint(endpoint) }
  }
  return {
    openapi: '3.0.3',
    info: { title: `Parley ${name}`, version: '1' },
    paths,
    components: {
      schemas: { Error: schemaOf(errorBodySchema, 'output') },
      securitySchemes: { internalToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  }
}

function describeEndpoint(endpoint: Endpoint): JsonObject {
  return {
    operationId: endpoint.operation,
    summary: endpoint.summary,
    ...(endpoint.access !== 'public' && { security: [{ internalToken: [] }] }),
    parameters: [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query')],
    ...requestBodyOf(endpoint),
    responses: {
      [endpoint.status]: {
        description: 'Success',
        ...responseContentOf(endpoint),
      },
      ...errorResponses(endpoint),
    },
  }
}

const jsonContent = (schema: JsonObject) => ({ 'application/json': { schema } })
const binary = { type: 'string', format: 'binary' }

function requestBodyOf({ body, bodyType = 'json' }: Endpoint): JsonObject {
  if (bodyType !== 'json') return { requestBody: { required: true, content: { '*/*': { schema: binary } } } }
  return body ? { requestBody: { required: true, content: jsonContent(schemaOf(body, 'input')) } } : {}
}

function responseContentOf({ response, responseType = 'json' }: Endpoint): JsonObject {
  if (responseType === 'stream') return { content: { '*/*': { schema: binary } } }
  if (responseType === 'events') return { content: { 'text/event-stream': { schema: { type: 'string' } } } }
  return response ? { content: jsonContent(schemaOf(response, 'output')) } : {}
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): JsonObject[] {
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !field.safeParse(undefined).success,
    schema: schemaOf(field, 'input'),
  }))
}

function errorResponses(endpoint: Endpoint): JsonObject {
  const byStatus = new Map<number, string[]>()
  for (const code of ['unauthenticated', 'forbidden', ...endpoint.errors] as const) {
    const status = errorStatus[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, { description: codes.join(', '), content: jsonContent(errorRef) }]),
  )
}
