import { Types } from 'mongoose'

/** A new id, for a record that must know it before it is stored. */
export const newId = (): string => new Types.ObjectId().toHexString()

/** When the record of an id was made, to the second: every id begins with it. */
export const madeAt = (id: string): Date => new Types.ObjectId(id).getTimestamp()

/** Whether a text can be the id of a stored record. */
export const isId = (text: string): boolean => /^[0-9a-f]{24}$/.test(text)

/** A stored value as services see it: ids are strings, at any depth. */
export function withStringIds(value: unknown): unknown {
  if (value instanceof Types.ObjectId) return value.toHexString()
  if (Array.isArray(value)) return value.map(withStringIds)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withStringIds(field)]))
}

/** A stored document as a record: `id` for `_id`, ids as strings. What a schema stores is what its record type says. */
export function toRecord<T>(document: object): T {
  const { _id, ...fields }: { _id?: unknown } = document
  return { id: String(_id), ...Object(withStringIds(fields)) } as T
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
