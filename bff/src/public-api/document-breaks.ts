import { z } from 'zod'

/** The part of a schema that a client's code is written for. */
interface Schema {
  readonly [name: string]: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))),
  webhooks: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))).default({}),
})

/**
 * Lists what of an earlier document a newer one breaks: a removed operation, answer, field or parameter, a field of another type,
 * a new requirement of a request. Additions are none.
 */
export function findBreaks(earlier: unknown, newer: unknown): string[] {
  const [before, after] = [documentSchema.parse(inlined(earlier)), documentSchema.parse(inlined(newer))]
  return [...breaksIn(before.paths, after.paths), ...breaksIn(before.webhooks, after.webhooks, { weSend: true })]
}

const componentsSchema = z.object({
  components: z.object({ schemas: z.record(z.string(), z.unknown()).default({}) }).optional(),
})
/** Stands where a schema holds itself: it is compared further up. */
const recursion = { $ref: 'recursion' }

/** A document with schemas in the place of references: to name one is no change. */
function inlined(document: unknown): unknown {
  const schemas = componentsSchema.parse(document).components?.schemas ?? {}
  const place = (value: unknown, within: readonly string[]): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((inner) => place(inner, within))
    const [, name] = /^#\/components\/schemas\/(.+)$/.exec('$ref' in value ? String(value.$ref) : '') ?? []
    if (name !== undefined) return within.includes(name) ? recursion : place(schemas[name], [...within, name])
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, place(inner, within)]))
  }
  return place(document, [])
}

type Operations = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>

/** @param options.weSend parameters are ours to send: one more asks nothing of anyone. */
const breaksIn = (before: Operations, after: Operations, { weSend = false } = {}): string[] =>
  Object.entries(before).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const place = `${method.toUpperCase()} ${path}`
      const now = after[path]?.[method]
      if (!now) return [`${place} is gone`]
      return [
        ...parameterBreaks(place, operation['parameters'], now['parameters'], weSend),
        ...requestBreaks(`${place} body`, bodyOf(operation['requestBody']), bodyOf(now['requestBody'])),
        ...successOf(operation).flatMap(([status, schema]) => {
          const next = successOf(now).find(([name]) => name === status)
          return next ? answerBreaks(`${place} ${status}`, schema, next[1]) : [`${place}: answer ${status} is gone`]
        }),
      ]
    }),
  )

const contentSchema = z.object({ content: z.object({ 'application/json': z.object({ schema: z.looseObject({}) }) }) })
const bodyOf = (body: unknown): Schema | undefined =>
  contentSchema.safeParse(body).data?.content['application/json'].schema

const responsesSchema = z.record(z.string(), z.unknown())
const successOf = (operation: Readonly<Record<string, unknown>>): [string, Schema | undefined][] =>
  Object.entries(responsesSchema.parse(operation['responses'] ?? {}))
    .filter(([status]) => status.startsWith('2'))
    .map(([status, response]) => [status, bodyOf(response)])

const parametersSchema = z
  .array(z.object({ name: z.string(), required: z.boolean().optional(), schema: z.looseObject({}).default({}) }))
  .default([])

function parameterBreaks(place: string, before: unknown, after: unknown, weSend: boolean): string[] {
  const [known, now] = [parametersSchema.parse(before), parametersSchema.parse(after)]
  const removed = known.flatMap(({ name, schema }) => {
    const next = now.find((each) => each.name === name)
    return next ? requestBreaks(`${place} ?${name}`, schema, next.schema) : [`${place}: parameter ${name} is gone`]
  })
  const names = new Set(known.flatMap(({ name, required }) => (required ? name : [])))
  const demanded = now.flatMap(({ name, required }) =>
    required && !weSend && !names.has(name) ? [`${place}: parameter ${name} is required now`] : [],
  )
  return [...removed, ...demanded]
}

const typeOf = (schema: Schema): string => JSON.stringify(schema['type'] ?? null)
const isRecursion = (schema: Schema): boolean => schema['$ref'] === recursion.$ref
const choicesOf = (schema: Schema): readonly Schema[] | undefined => schema.anyOf ?? schema.oneOf

/** A request that was right is right still: nothing more is required, every known value is taken. */
function requestBreaks(place: string, before: Schema | undefined, after: Schema | undefined): string[] {
  if (!before) return after?.required?.length ? [`${place} is required now`] : []
  if (!after) return [`${place} is gone`]
  const [known, now] = [before.required ?? [], after.required ?? []]
  return [
    ...now.flatMap((name) => (known.includes(name) ? [] : [`${place}.${name} is required now`])),
    ...valuesGone(place, before, after),
    ...within(place, { before, after }, requestBreaks),
  ]
}

/** An answer can be read as before: every field is there, of the same type, and as surely. */
function answerBreaks(place: string, before: Schema | undefined, after: Schema | undefined): string[] {
  if (!before) return []
  if (!after) return [`${place} is gone`]
  const lost = (before.required ?? []).filter((name) => !(after.required ?? []).includes(name))
  return [
    ...lost.flatMap((name) => (after.properties?.[name] ? [`${place}.${name} may be absent now`] : [])),
    ...within(place, { before, after }, answerBreaks),
  ]
}

type Compare = (place: string, before: Schema | undefined, after: Schema | undefined) => string[]

function within(place: string, { before, after }: { before: Schema; after: Schema }, compare: Compare): string[] {
  if (isRecursion(before) || isRecursion(after)) return []
  if (typeOf(before) !== typeOf(after)) return [`${place} has another type`]
  const [choices, now] = [choicesOf(before), choicesOf(after)]
  if (choices && (!now || now.length < choices.length)) return [`${place} has fewer kinds`]
  return [
    ...Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
      const next = after.properties?.[name]
      return next ? compare(`${place}.${name}`, schema, next) : [`${place}.${name} is gone`]
    }),
    ...(before.items ? compare(`${place}[]`, before.items, after.items) : []),
    ...(choices ?? []).flatMap((choice, index) => compare(`${place}|${index}`, choice, now?.[index])),
  ]
}

function valuesGone(place: string, before: Schema, after: Schema): string[] {
  const [known, now] = [valuesOf(before), valuesOf(after)]
  if (!known || !now) return []
  return known.flatMap((value) =>
    now.includes(value) ? [] : [`${place} does not take ${JSON.stringify(value)} any more`],
  )
}
const valuesOf = (schema: Schema): readonly unknown[] | undefined =>
  Array.isArray(schema['enum']) ? schema['enum'] : undefined
