import { createHash } from 'node:crypto'
import { Types } from 'mongoose'
import type { ActorContext } from '../http/context.ts'

/**
 * A new id, for a record that must know it before it is stored. For a call with an `Idempotency-Key` it is the same in each
 * repetition: a record that was stored before a crash is met again. @param n number of the record in its call.
 */
export function newId({ intent }: Pick<ActorContext, 'intent'> = {}, n = 0): string {
  if (!intent) return new Types.ObjectId().toHexString()
  const id = Buffer.alloc(12)
  id.writeUInt32BE(Math.floor(intent.at.getTime() / 1000))
  createHash('sha256').update(`${intent.id} ${n}`).digest().copy(id, 4, 0, 8)
  return id.toString('hex')
}

/** Returns the time at which the record of an id was made, to the second: every id begins with it. */
export const madeAt = (id: string): Date => new Types.ObjectId(id).getTimestamp()

/** Returns whether a text can be the id of a stored record. */
export const isId = (text: string): boolean => /^[0-9a-f]{24}$/.test(text)

/** Converts a stored value to the form that services see: ids are strings, at any depth. It changes the value in place. */
export function withStringIds(value: unknown): unknown {
  if (value instanceof Types.ObjectId) return value.toHexString()
  if (Array.isArray(value)) for (const [index, item] of value.entries()) value[index] = withStringIds(item)
  else if (isPlainObject(value)) replaceIds(value)
  return value
}

// The value is changed in place: every read record passes here, and a copy of each object takes twice as long.
function replaceIds(fields: Record<string, unknown>): void {
  for (const key of Object.keys(fields)) {
    const field = fields[key]
    if (typeof field !== 'object' || field === null) continue
    const plain = withStringIds(field)
    if (plain !== field) fields[key] = plain
  }
}

/** Converts a stored document to a record: `id` for `_id`, ids as strings. The schema guarantees the record's type. */
export function toRecord<T>(document: object): T {
  const { _id, ...fields }: Record<string, unknown> = Object(document)
  replaceIds(fields)
  fields['id'] = String(_id)
  return fields as T
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
