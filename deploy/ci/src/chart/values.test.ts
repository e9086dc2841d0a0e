import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deployedNames, describeProcess, urlVariable } from '@parley/processes/processes'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { root } from '../paths.ts'
import { configsOfProcesses } from '../process-configs.ts'

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

const settingSchema = z.object({
  enum: z.array(z.union([z.string(), z.boolean()])).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
})
const envSchema = z.object({
  properties: z.object({ env: z.object({ properties: z.record(z.string(), settingSchema) }) }),
})

const inChart = (file: string) => readFileSync(join(root, 'helm/parley', file), 'utf8')
const schemaText = inChart('values.schema.json')
const { properties: schemaProperties } = z
  .object({ properties: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(schemaText))

/** Values of Kubernetes or of another chart: this one hands them on as they are. */
const openPaths = ['#/properties/global', '#/$defs/freeList/items', '#/$defs/freeObject']

test('no level of the schema lets an unknown key through', () => {
  const open: string[] = []
  visit(JSON.parse(schemaText), '#')
  expect(open).toEqual([])

  /** Visits a value. Free keys are fine where their values are described: labels and annotations. */
  function visit(node: unknown, path: string): void {
    if (node === null || typeof node !== 'object') return
    const { type, additionalProperties: free } = Object.fromEntries(Object.entries(node))
    const closed = free === false || (typeof free === 'object' && free !== null) || openPaths.includes(path)
    if (type === 'object' && !closed) open.push(path)
    for (const [key, child] of Object.entries(node)) visit(child, `${path}/${key}`)
  }
})

/** Values under which variables of a process are given: those of messaging are for its other processes too. */
const settingsOf = (name: string) => (name === 'bff' ? 'bff' : /^messaging/.test(name) ? 'messaging' : undefined)
const configs = await configsOfProcesses()

test.each(deployedNames)(
  'every setting of %s is made by the chart or may be given in env, and none in both',
  (name) => {
    const { calls, secrets } = describeProcess(name)
    const template = inChart('templates/_environment.tpl')
    const written = [...template.matchAll(/^([A-Z][A-Z0-9_]+): /gm)].map(([, variable]) => variable)
    const made = [...written, ...Object.keys(secrets), ...calls.map(urlVariable), 'MEDIA_S3_URL']
    const settings = settingsOf(name)
    const settable = settings ? Object.keys(envSchema.parse(schemaProperties[settings]).properties.env.properties) : []
    const known = Object.keys(configs[name].shape)
    // Refused in production by the process itself.
    const development = ['WEBHOOK_ALLOW_PRIVATE', 'CONNECTION_ALLOW_PRIVATE']
    expect(known.filter((one) => ![...made, ...settable, ...development].includes(one))).toEqual([])
    expect(settable.filter((one) => made.includes(one))).toEqual([])
  },
)

test('what may be given is a setting of some process', () => {
  for (const settings of ['bff', 'messaging']) {
    const known = deployedNames
      .filter((name) => settingsOf(name) === settings)
      .flatMap((name) => Object.keys(configs[name].shape))
    const settable = Object.keys(envSchema.parse(schemaProperties[settings]).properties.env.properties)
    expect(settable.length).toBeGreaterThan(3)
    expect(settable.filter((one) => !known.includes(one))).toEqual([])
  }
})

test('every process takes each value of a setting that the schema lists, and each end of its range', () => {
  // As the template hands them on: YAML reads on and off as true and false.
  const toText = (value: string | boolean | number) =>
    typeof value === 'boolean' ? (value ? 'on' : 'off') : `${value}`
  const refused = deployedNames.flatMap((name) => {
    const settings = settingsOf(name)
    if (!settings) return []
    const settable = Object.entries(envSchema.parse(schemaProperties[settings]).properties.env.properties)
    return settable.flatMap(([variable, { enum: listed = [], minimum = [], maximum = [] }]) =>
      [...listed, ...[minimum, maximum].flat()].flatMap((value) => {
        const setting: z.ZodType | undefined = configs[name].shape[variable]
        return !setting || setting.safeParse(toText(value)).success ? [] : `${name} ${variable}=${toText(value)}`
      }),
    )
  })
  expect(refused).toEqual([])
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
          /[.](pendingSeconds|env|replicas|runAs(User|Group)|behavior|affinity|(requests|limits)[.].+|requests|limits)$/.test(
            place,
          )
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

const memorySchema = z.object({
  resources: z.object({ requests: z.object({ memory: z.string() }), limits: z.object({ memory: z.string() }) }),
})

/** MiB resident after a load, as capacity.md has them and, of messaging, as the API's server was measured with it. */
test.each([
  ['bff', 348],
  ['profile', 315],
  ['identity', 111],
  ['messaging', 332],
  ['messagingIngest', 257],
  ['messagingWorker', 261],
])('a pod of %s requests the memory that it has under load, below its limit', (group, measured) => {
  const values = z.record(z.string(), z.unknown()).parse(parse(inChart('values.yaml')))
  const { requests, limits } = memorySchema.parse(values[group]).resources
  const [requested, limit] = [requests, limits].map(({ memory }) => Number(/^(\d+)Mi$/.exec(memory)?.[1]))
  expect(requested).toBeGreaterThanOrEqual(measured)
  expect(limit).toBeGreaterThan(Number(requested))
})
