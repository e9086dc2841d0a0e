import { z } from 'zod'

/**
 * Fields of an input that its schema does not have, as paths: `template.valeus`. Schemas drop them, and a program that has mistyped a
 * name would never hear of it.
 * @param value what the schema takes.
 */
export function unknownFields(schema: z.core.$ZodType, value: unknown, path = ''): string[] {
  const plain = withoutWrappers(schema)
  if (plain instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((item, index) => unknownFields(plain.element, item, join(path, String(index))))
  if (plain instanceof z.ZodUnion) {
    const taken = plain.options.filter((option) => z.safeParse(option, value).success)
    return taken.map((option) => unknownFields(option, value, path)).sort((a, b) => a.length - b.length)[0] ?? []
  }
  if (!(plain instanceof z.ZodObject) || typeof value !== 'object' || value === null) return []
  const isOpen = plain.def.catchall !== undefined && !(plain.def.catchall instanceof z.ZodNever)
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = Object.hasOwn(plain.shape, name) ? plain.shape[name] : undefined
    if (field) return unknownFields(field, inner, join(path, name))
    return isOpen ? [] : [join(path, name)]
  })
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

/** Unwraps a schema: optional, nullable, with a default, lazy, or the input of a pipe. */
function withoutWrappers(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodReadonly)
    return withoutWrappers(schema.unwrap())
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return withoutWrappers(schema.unwrap())
  if (schema instanceof z.ZodPipe) return withoutWrappers(schema.in)
  return schema instanceof z.ZodLazy ? withoutWrappers(schema.unwrap()) : schema
}
