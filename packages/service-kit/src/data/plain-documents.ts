import { isDeepStrictEqual } from 'node:util'
import { type Model, type Schema, Types } from 'mongoose'

type Fields = Record<string, unknown>
type Convert = (value: unknown) => unknown

/** Tests and development compare every plain document with the one that the schema would make of it. */
const isChecked = ['test', 'development'].includes(process.env['NODE_ENV'] ?? '')

/** A document for the driver, and its record as callers see it. */
interface Plain {
  readonly document: Fields
  readonly record: Fields
}

/**
 * Makes documents of complete records without the schema's own documents, which take ten times as long: string ids become ids, at any
 * depth, and `createdAt` and `updatedAt` are set. Defaults are not.
 * @throws in tests and development where the schema would refuse a record, or store another value of one of its fields.
 */
export function plainDocuments(model: Model<Fields>): (records: readonly Fields[]) => Promise<Plain[]> {
  const timed = ['createdAt', 'updatedAt'].filter((path) => model.schema.path(path))
  let convert: Convert | undefined
  return async (records) => {
    convert ??= converterOf(model.schema)
    const now = new Date()
    const times = Object.fromEntries(timed.map((path) => [path, now]))
    const made = records.map((fields) => {
      const { _id = new Types.ObjectId(), ...others }: Fields = { ...times, ...fields }
      const document = { ...Object(convert?.(others)), _id: toId(_id) }
      return { document, record: { ...others, id: String(_id) } }
    })
    if (isChecked) for (const { document } of made) await assertAsTheSchema(model, document)
    return made
  }
}

const toId: Convert = (value) => (typeof value === 'string' ? new Types.ObjectId(value) : value)

/** Converts ids below each of these paths; what has none stays the same object. */
function converterOf(schema: Schema): Convert {
  const fields = new Map<string, Convert>()
  schema.eachPath((path, type) => {
    const convert = converterOfType(type)
    if (!convert) return
    if (path.includes('.')) throw new Error(`${path} is an id, and the field that holds it has no schema of its own`)
    fields.set(path, convert)
  })
  return (value) => {
    if (fields.size === 0 || typeof value !== 'object' || value === null) return value
    const converted: Fields = { ...value }
    for (const [field, convert] of fields) if (field in converted) converted[field] = convert(converted[field])
    return converted
  }
}

function converterOfType(type: object): Convert | undefined {
  const { instance, schema, embeddedSchemaType } = Object(type)
  if (instance === 'ObjectId') return toId
  if (instance === 'Array' && Object(embeddedSchemaType).instance === 'ObjectId')
    return (value) => (Array.isArray(value) ? value.map(toId) : value)
  if (!schema || !hasIds(schema)) return undefined
  const convert = converterOf(schema)
  return (value) => (Array.isArray(value) ? value.map(convert) : convert(value))
}

function hasIds(schema: Schema): boolean {
  let found = false
  schema.eachPath((_path, type) => {
    found ||= converterOfType(type) !== undefined
  })
  return found
}

async function assertAsTheSchema(model: Model<Fields>, document: Fields): Promise<void> {
  const whole = new model(document)
  await whole.validate()
  const given = Object.entries(whole.toObject()).filter(([field]) => document[field] !== undefined)
  const [expected, actual] = [comparable(Object.fromEntries(given)), comparable(document)]
  if (!isDeepStrictEqual(expected, actual))
    throw new Error(
      `a plain record of ${model.modelName} is not as its schema has it: ${JSON.stringify(actual)} would be ${JSON.stringify(expected)}`,
    )
}

/** Copies a value with ids as texts and without undefined fields. */
function comparable(value: unknown): unknown {
  if (value instanceof Types.ObjectId) return `ObjectId ${value.toHexString()}`
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null || value instanceof Date || ArrayBuffer.isView(value)) return value
  const defined = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(defined.map(([name, field]) => [name, comparable(field)]))
}
