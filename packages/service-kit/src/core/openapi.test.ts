import { conditionGroupSchema, conditionsParameter } from '@parley/contracts/contacts/conditions'
import { defineEndpoint } from '@parley/contracts/core/endpoint'
import { listOf } from '@parley/contracts/core/records'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeEndpoints } from './openapi.ts'

interface Tree {
  name: string
  children: Tree[]
}
const treeSchema: z.ZodType<Tree> = z.object({ name: z.string(), children: z.array(z.lazy(() => treeSchema)) })

const common = { access: 'session', permission: 'member', summary: 'x', status: 200, errors: [] } as const
const list = defineEndpoint({
  ...common,
  operation: 'trees.list',
  method: 'GET',
  path: '/trees',
  query: z.object({
    conditions: conditionsParameter(conditionGroupSchema).optional(),
    tags: listOf(z.string()).optional(),
    q: z.string().optional(),
  }),
  response: z.object({ items: z.array(treeSchema) }),
})
const plant = defineEndpoint({
  ...common,
  operation: 'trees.plant',
  method: 'POST',
  path: '/trees',
  body: treeSchema,
  response: treeSchema,
})
const ping = defineEndpoint({
  operation: 'ping',
  method: 'GET',
  path: '/ping',
  access: 'public',
  summary: 'x',
  status: 200,
  errors: [],
})

// Documents as JSON, as they are served.
const document = JSON.parse(JSON.stringify(describeEndpoints('trees', [list, plant, ping])))

test('every reference leads to something', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]*)"/g)].map(([, path = '']) => path)
  expect(references.length).toBeGreaterThan(2)
  for (const path of references) {
    const found = path
      .split('/')
      .slice(1)
      .reduce((inner, name) => inner?.[name], document)
    expect(found, path).toMatchObject({ type: 'object' })
  }
})

test('a parameter says how it travels: as JSON, as words with commas between them, or as it is', () => {
  const [conditions, tags, q] = document.paths['/trees'].get.parameters
  expect(conditions).toMatchObject({
    name: 'conditions',
    content: { 'application/json': { schema: { type: 'object' } } },
  })
  expect(conditions).not.toHaveProperty('schema')
  expect(tags).toMatchObject({ schema: { type: 'array' }, style: 'form', explode: false })
  expect(q).toMatchObject({ schema: { type: 'string' } })
  expect(q).not.toHaveProperty('style')
})

test('an address is declared as it is taken: with braces, which RFC 3986 forbids', () => {
  const described = describeEndpoints('trees', [{ ...plant, response: z.object({ url: z.url() }) }])
  expect(z.url().safeParse('https://tea.example/track/{{1}}').success).toBe(true)
  expect(JSON.stringify(described)).toContain('"url":{"type":"string"}')
})

test.each([
  ['get', '/trees', [200, 400, 401, 403, 429, 431, 500, 502, 503, 504]],
  ['post', '/trees', [200, 400, 401, 403, 409, 413, 415, 422, 429, 500, 502, 503, 504]],
  ['get', '/ping', [200, 401, 403, 500, 503]],
])('%s %s names each status that it may answer with', (method, path, statuses) => {
  expect(Object.keys(document.paths[path][method].responses).map(Number)).toEqual(statuses)
})
