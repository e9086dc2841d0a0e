import { permissions } from '@parley/contracts/account/permissions'
import { type Endpoint, publicPath } from '@parley/contracts/core/endpoint'
import { errorBodySchema } from '@parley/contracts/core/errors'
import type { z } from 'zod'
import {
  type Describe,
  describeEndpoint,
  describeInto,
  type HeaderParameter,
  headerParameter,
  type JsonObject,
  jsonContent,
  pathsOf,
} from './openapi.ts'

/** Schemas by the names that they have in a document: what is answered, and what is sent. */
export interface NamedSchemas {
  readonly answers: Readonly<Record<string, z.ZodType>>
  readonly requests: Readonly<Record<string, z.ZodType>>
}
const namesOf = (
  schemas: Readonly<Record<string, z.ZodType>>,
  io: 'input' | 'output',
  describe: Describe,
): NamedSchema[] => Object.entries(schemas).map(([name, schema]) => ({ name, schema: describe(schema, io, name) }))

/**
 * The OpenAPI 3.1 document of the public API: its endpoints at their public paths, and the events that it sends.
 * @param events schema of the body that is sent for each kind of event.
 */
export function describePublicApi(
  endpoints: readonly Endpoint[],
  events: Readonly<Record<string, { readonly summary: string; readonly body: z.ZodType }>>,
  {
    names,
    tags,
    idempotencyKey,
    eventHeaders,
    ...info
  }: {
    readonly title: string
    readonly version: string
    readonly description: string
    /** Description of a group of operations. */
    readonly tags: readonly { readonly name: string; readonly description: string }[]
    /** Header of the calls whose repetition is answered and not carried out. */
    readonly idempotencyKey: HeaderParameter
    /** Headers with which events are sent. */
    readonly eventHeaders: readonly HeaderParameter[]
    /** Schemas of records that are in several places, by name. */
    readonly names: NamedSchemas
  },
): JsonObject {
  const schemas: JsonObject = {}
  const describe = describeInto(schemas, 'draft-2020-12')
  schemas['Error'] = describe(errorBodySchema, 'output', 'Error')
  const paths = pathsOf(endpoints, publicPath, (endpoint) => ({
    ...describeEndpoint({ ...endpoint, allowsUnverified: true }, describe, isKept(endpoint) ? [idempotencyKey] : []),
    tags: [endpoint.operation.split('.')[0]],
    security: [{ apiKey: [] }],
    // Any key may make a call that asks for no permission.
    ...('permission' in endpoint &&
      permissions.some((permission) => permission === endpoint.permission) && { 'x-scope': endpoint.permission }),
  }))
  const webhooks = Object.fromEntries(
    Object.entries(events).map(([type, { summary, body }]) => [
      type,
      {
        post: {
          operationId: `webhook.${type}`,
          tags: ['events'],
          summary,
          parameters: eventHeaders.map(headerParameter),
          requestBody: { content: jsonContent(describe(body, 'output', `event.${type}`)) },
          responses: { '2XX': { description: 'Received. Anything else is tried again.' } },
        },
      },
    ]),
  )
  const shared = shareParts({ paths, webhooks }, schemas, [
    ...namesOf(names.answers, 'output', describe),
    ...namesOf(names.requests, 'input', describe),
  ])
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/' }],
    tags,
    ...shared.document,
    components: {
      ...shared.components,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'A key from Settings → API Keys: `ply_…`.' },
      },
    },
  }
}

/** Tells whether an answer is kept for a repetition with the same key. */
const isKept = ({ method, repeatable, bodyType = 'json' }: Endpoint): boolean =>
  method !== 'GET' && !repeatable && bodyType === 'json'

interface NamedSchema {
  readonly name: string
  readonly schema: JsonObject
}

/**
 * Writes schemas that have a name, and refusals, once into the components of a document, and refers to them wherever the same stands.
 * Two schemas are the same where they describe the same: rules that a description cannot tell (of two fields together) part none.
 * @param schemas those that the document refers to already.
 */
function shareParts<D extends JsonObject>(
  document: D,
  schemas: JsonObject,
  named: readonly NamedSchema[],
): { document: D; components: { schemas: JsonObject; responses: JsonObject } } {
  const names = new Map(named.map(({ name, schema }) => [JSON.stringify(schema), name]))
  const found: JsonObject = {}
  const responses: JsonObject = {}

  const partsOf = (value: object): unknown =>
    Array.isArray(value)
      ? value.map((inner) => share(inner))
      : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, share(inner, key)]))

  function share(value: unknown, key = ''): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (/^[45]\d\d$/.test(key) && 'description' in value) {
      const name = `${key}.${String(value.description).replaceAll(', ', '.')}`
      responses[name] ??= value
      return { $ref: `#/components/responses/${name}` }
    }
    const name = names.get(JSON.stringify(value))
    if (name === undefined) return partsOf(value)
    if (!Object.hasOwn(found, name)) {
      // Before its parts, which may hold it again.
      found[name] = undefined
      found[name] = partsOf(value)
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  const shared = partsOf(document) as D
  const kept = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, partsOf(schema as object)]))
  return { document: shared, components: { schemas: { ...kept, ...found }, responses } }
}
