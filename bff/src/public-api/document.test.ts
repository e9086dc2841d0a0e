import { readFileSync } from 'node:fs'
import { keyScopes } from '@parley/contracts/account/api-keys'
import { expect, test } from 'vitest'
import { publicDocument, publicEndpoints } from './document.ts'
import { findBreaks } from './document-breaks.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document that each case changes in another place.
type Any = any
const committed = JSON.parse(readFileSync(`${import.meta.dirname}/openapi.json`, 'utf8'))

test('the document that is served is that of the declarations; `npm run docs` writes it', () => {
  expect(JSON.parse(JSON.stringify(publicDocument()))).toEqual(committed)
})

test('it is OpenAPI 3.1, every reference leads to something, and nothing internal is named', () => {
  expect(committed.openapi).toBe('3.1.0')
  const text = JSON.stringify(committed)
  for (const [, path = ''] of text.matchAll(/"\$ref":"#([^"]*)"/g)) {
    const found = path
      .split('/')
      .slice(1)
      .reduce((inner, name) => inner?.[name], committed)
    expect(found, path).toBeDefined()
  }
  for (const path of Object.keys(committed.paths)) expect(path).toMatch(/^\/v1\//)
  expect(text).not.toMatch(/internalToken|"\/api\/|email_not_verified/)
})

test('schemas with a name stand there once, and wherever they are sent or answered they are referred to', () => {
  const bodyOf = (part: Any) => part.content['application/json'].schema
  const { post, get } = committed.paths['/v1/webhooks']
  expect(bodyOf(post.requestBody)).toEqual({ $ref: '#/components/schemas/NewWebhook' })
  expect(bodyOf(get.responses[200]).properties.items.items).toEqual({ $ref: '#/components/schemas/Webhook' })
  expect(post.responses[401]).toEqual({ $ref: '#/components/responses/401.unauthenticated' })
  for (const schema of Object.keys(committed.components.schemas))
    expect(JSON.stringify(committed)).toContain(`"#/components/schemas/${schema}"`)
})

test('every endpoint says what a key needs, and a key can have it', () => {
  expect(publicEndpoints.length).toBeGreaterThan(40)
  for (const endpoint of publicEndpoints) {
    const needed = 'permission' in endpoint ? endpoint.permission : ''
    expect(['member', ...keyScopes], endpoint.operation).toContain(needed)
  }
})

test('an answer may have more fields one day, a request has none that is not named', () => {
  const closed = (schema: Any): string[] =>
    Object.entries<Any>(schema ?? {}).flatMap(([key, inner]) => {
      if (key === 'additionalProperties' && inner === false) return [JSON.stringify(schema).slice(0, 80)]
      return typeof inner === 'object' && inner !== null ? closed(inner) : []
    })
  for (const [path, methods] of Object.entries<Any>(committed.paths))
    for (const operation of Object.values<Any>(methods)) expect(closed(operation.responses), path).toEqual([])
  expect(closed(committed.webhooks)).toEqual([])
  for (const name of ['Contact', 'Message', 'Webhook', 'EventMessage', 'Error'])
    expect(closed(committed.components.schemas[name]), name).toEqual([])
  const { send, hook } = { send: committed.paths['/v1/messages'].post, hook: committed.components.schemas.NewWebhook }
  expect(send.requestBody.content['application/json'].schema.additionalProperties).toBe(false)
  expect(hook.additionalProperties).toBe(false)
})

test('what creates takes a key of idempotency, and events say which headers they have', () => {
  const headersOf = ({ parameters }: Any) =>
    parameters.filter((each: Any) => each.in === 'header').map((each: Any) => each.name)
  expect(headersOf(committed.paths['/v1/messages'].post)).toEqual(['Idempotency-Key'])
  expect(headersOf(committed.paths['/v1/webhooks/{id}'].patch)).toEqual(['Idempotency-Key'])
  expect(headersOf(committed.paths['/v1/messages/{id}'].get)).toEqual([])
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  for (const { post } of Object.values<Any>(committed.webhooks)) expect(headersOf(post)).toEqual(names)
})

test('a scope that the document names is one that a key can have', () => {
  const named = Object.values<Any>(committed.paths).flatMap((methods) =>
    Object.values<Any>(methods).flatMap((call) => call['x-scope'] ?? []),
  )
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter((scope: string) => !keyScopes.some((known) => known === scope))).toEqual([])
})

test('every scope that a key can have opens something', () => {
  const used = publicEndpoints.flatMap((endpoint) => [
    'permission' in endpoint ? endpoint.permission : '',
    ...('actionPermissions' in endpoint ? Object.values(endpoint.actionPermissions ?? {}) : []),
  ])
  expect(keyScopes.filter((scope) => !used.includes(scope))).toEqual([])
})

test('a job that a key has started can be followed and cancelled by keys, beside what it is about', () => {
  const answersWithJob = Object.entries<Any>(committed.paths).flatMap(([path, methods]) =>
    Object.entries<Any>(methods)
      .filter(([, { responses }]) => JSON.stringify(responses).includes('"#/components/schemas/Job"'))
      .map(([method]) => `${method} ${path}`),
  )
  expect(answersWithJob).toEqual([
    'post /v1/webhooks/{id}/replay',
    'get /v1/webhooks/{id}/replays/{jobId}',
    'post /v1/webhooks/{id}/replays/{jobId}/cancel',
  ])
})

const document = (change: (operation: Record<string, unknown>) => void = () => undefined) => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      kind: { type: 'string', enum: ['a', 'b'] },
      list: { type: 'array', items: { type: 'string' } },
    },
    required: ['name'],
  }
  const content = () => ({ content: { 'application/json': { schema: structuredClone(schema) } } })
  const operation = {
    parameters: [{ name: 'q', required: false, schema: { type: 'string' } }],
    requestBody: content(),
    responses: { 200: content(), 400: content() },
  }
  change(operation)
  return { paths: { '/v1/things': { post: operation } } }
}
const schemaOf = (part: Any) => part.content['application/json'].schema

test.each<[string, (operation: Any) => void]>([
  ['a field of an answer', (o) => delete schemaOf(o.responses[200]).properties.kind],
  ['the type of a field', (o) => (schemaOf(o.responses[200]).properties.name.type = 'integer')],
  ['the type of an item', (o) => (schemaOf(o.responses[200]).properties.list.items.type = 'integer')],
  ['that a field is always there', (o) => (schemaOf(o.responses[200]).required = [])],
  ['an answer', (o) => delete o.responses[200]],
  ['a parameter', (o) => (o.parameters = [])],
  ['a field of a request', (o) => delete schemaOf(o.requestBody).properties.kind],
  ['a value of a request', (o) => (schemaOf(o.requestBody).properties.kind.enum = ['a'])],
  ['that a field may be absent', (o) => (schemaOf(o.requestBody).required = ['name', 'kind'])],
  ['that a parameter may be absent', (o) => o.parameters.push({ name: 'must', required: true, schema: {} })],
])('to take away %s is a break', (_what, change) => {
  expect(findBreaks(document(), document(change))).toHaveLength(1)
})

test('to give a schema a name is no break, and what is behind a name is compared', () => {
  const named = (change: (schema: Any) => void = () => undefined) => {
    const inline: Any = document()
    const { schema } = inline.paths['/v1/things'].post.responses[200].content['application/json']
    const thing = structuredClone(schema)
    thing.properties.parts = { type: 'array', items: { $ref: '#/components/schemas/Thing' } }
    change(thing)
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } }
    inline.paths['/v1/things'].post.responses[200].content = content
    return { ...inline, components: { schemas: { Thing: thing } } }
  }
  expect(findBreaks(document(), named())).toEqual([])
  expect(findBreaks(named(), named())).toEqual([])
  expect(
    findBreaks(
      named(),
      named((thing) => delete thing.properties.kind),
    ),
  ).toEqual(['POST /v1/things 200.kind is gone'])
})

test('to take away an operation, or a path, is a break', () => {
  expect(findBreaks(document(), { paths: { '/v1/things': {} } })).toEqual(['POST /v1/things is gone'])
  expect(findBreaks(document(), { paths: {} })).toEqual(['POST /v1/things is gone'])
})

test.each<[string, (operation: Any) => void]>([
  ['a field of an answer', (o) => (schemaOf(o.responses[200]).properties.more = { type: 'string' })],
  ['a value of an answer', (o) => schemaOf(o.responses[200]).properties.kind.enum.push('c')],
  ['a parameter', (o) => o.parameters.push({ name: 'more', required: false, schema: {} })],
  ['a field of a request', (o) => (schemaOf(o.requestBody).properties.more = { type: 'string' })],
  ['a value of a request', (o) => schemaOf(o.requestBody).properties.kind.enum.push('c')],
  ['a refusal', (o) => (o.responses[409] = {})],
])('to add %s is none', (_what, change) => {
  expect(findBreaks(document(), document(change))).toEqual([])
})
