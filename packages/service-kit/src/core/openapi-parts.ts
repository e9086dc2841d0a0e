type JsonObject = Record<string, unknown>

export interface NamedSchema {
  readonly name: string
  readonly schema: JsonObject
}

/**
 * Writes schemas that have a name, and refusals, once into the components of a document, and refers to them wherever the same stands.
 * Two schemas are the same where they describe the same: rules that a description cannot tell (of two fields together) part none.
 * @param schemas those that the document refers to already.
 */
export function shareParts<D extends JsonObject>(
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
