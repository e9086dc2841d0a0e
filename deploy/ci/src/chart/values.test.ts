import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configSchema as bff } from '@parley/bff/config'
import { processes, urlVariable } from '@parley/processes/processes'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { root } from '../paths.ts'

interface ObjectSchema {
  readonly $ref?: string | undefined
  readonly type?: unknown
  readonly additionalProperties?: unknown
  readonly required?: readonly string[] | undefined
  readonly properties?: Readonly<Record<string, ObjectSchema>> | undefined
  readonly $defs?: Readonly<Record<string, ObjectSchema>> | undefined
}
const objectSchema: z.ZodType<ObjectSchema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.unknown().optional(),
    additionalProperties: z.unknown().optional(),
    required: z.array(z.string()).optional(),
    properties: z.record(z.string(), objectSchema).optional(),
    $defs: z.record(z.string(), objectSchema).optional(),
  }),
)

const inChart = (file: string) => readFileSync(join(root, 'helm/parley', file), 'utf8')
const schemaText = inChart('values.schema.json')

test('no level of the schema lets an unknown key through', () => {
  const open: string[] = []
  visit(JSON.parse(schemaText), '#')
  expect(open).toEqual([])

  /** Visits a value. Free keys are fine where their values are described: labels and annotations. */
  function visit(node: unknown, path: string): void {
    if (node === null || typeof node !== 'object') return
    const { type, additionalProperties: free } = Object.fromEntries(Object.entries(node))
    const closed = free === false || (typeof free === 'object' && free !== null) || path === '#/properties/global'
    if (type === 'object' && !closed) open.push(path)
    for (const [key, child] of Object.entries(node)) visit(child, `${path}/${key}`)
  }
})

test('every setting of the BFF is made by the chart or may be given in bff.env, and none in both', () => {
  const template = inChart('templates/_environment.tpl')
  const { calls, secrets } = processes.bff
  const written = [...template.matchAll(/^([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name)
  const made = [...written, ...Object.keys(secrets), ...calls.map(urlVariable)]
  const { properties } = z
    .object({
      properties: z.object({
        bff: z.object({ properties: z.object({ env: z.object({ properties: z.record(z.string(), z.unknown()) }) }) }),
      }),
    })
    .parse(JSON.parse(schemaText))
  const settable = Object.keys(properties.bff.properties.env.properties)
  const unknown = Object.keys(bff.shape).filter((name) => !made.includes(name) && !settable.includes(name))
  expect(unknown).toEqual([])
  expect(settable.filter((name) => made.includes(name) || !(name in bff.shape))).toEqual([])
})

test('every value has its place in the schema, and one that was set to null is missed there', () => {
  const wrong: string[] = []
  const schema = objectSchema.parse(JSON.parse(schemaText))
  const values: unknown = parse(inChart('values.yaml'))
  visit(schema, values, '')
  expect(wrong).toEqual([])
  expect(Object.keys(schema.properties ?? {}).sort()).toEqual(['global', ...Object.keys(Object(values))].sort())

  /** Visits a value beside its schema. Lists, free keys, quantities of a pod and the age of work may be absent: templates ask for them. */
  function visit(node: ObjectSchema, value: unknown, path: string): void {
    const described = resolve(node)
    if (!described.properties || value === null || typeof value !== 'object') return
    for (const [key, child] of Object.entries(value)) {
      const place = `${path}.${key}`
      const next = described.properties[key]
      if (!next) wrong.push(`${place} is unknown`)
      else {
        const { type, additionalProperties } = resolve(next)
        const isOptional =
          type === 'array' ||
          typeof additionalProperties === 'object' ||
          /[.](pendingSeconds|env|(requests|limits)[.].+|requests|limits)$/.test(place)
        if (!isOptional && !described.required?.includes(key)) wrong.push(`${place} may be null`)
        visit(next, child, place)
      }
    }
  }

  function resolve(node: ObjectSchema): ObjectSchema {
    const name = node.$ref?.split('/').at(-1)
    return name ? (schema.$defs?.[name] ?? node) : node
  }
})
